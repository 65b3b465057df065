// The page of trips and bookings, each with its calendar file.

import { api } from "../base/api.js";
import { el, fill, icon } from "../base/dom.js";
import { day, money, moment, named, t } from "../base/words.js";
import { about } from "./session.js";

/** Fetch trips and bookings; return the function that draws them into `page`. */
export async function drawTrips(page) {
  const { bookings, trips } = await api.trips();
  const booked = bookings.filter((one) => one.status !== "cancelled").map((one) => one.trip_id);
  const others = trips.filter((one) => !booked.includes(one.id));
  return () => {
    if (!bookings.length && !others.length) {
      fill(page, el("p", { class: "empty" }, t("no_trips")));
      return;
    }
    const all = bookings.length ? el("div", { class: "row" }, calendar("", t("calendar_all"))) : null;
    const sample = about.is_sample && bookings.length ? el("p", { class: "note" }, t("sample_more")) : null;
    fill(page, all, sample, section(t("bookings"), bookings.map(booking)), section(t("journeys"), others.map(journey)));
  };
}

function section(title, cards) {
  return cards.length ? el("section", { class: "stack" }, el("h3", {}, title), el("ul", { class: "cards" }, cards)) : null;
}

function calendar(reference, words) {
  return el("a", { class: "button plain", href: api.calendar(reference), download: true }, icon("download"), words);
}

function booking(one) {
  const isOff = one.status === "cancelled";
  const facts = [
    [t("fact.when"), one.starts === one.ends ? day(one.starts) : `${day(one.starts)} – ${day(one.ends)}`],
    [t("fact.reference"), one.reference],
    [t("fact.travellers"), String(one.travellers)],
    one.extra_bags ? [t("fact.extra_bags"), String(one.extra_bags)] : null,
    one.seats.length ? [t("fact.seats"), one.seats.map(({ seat }) => seat).join(", ")] : null,
    // A hold is not paid yet, and a cancelled booking was refunded.
    one.status === "booked" ? [t("fact.paid"), money(one.paid)] : [t("fact.price"), money(one.price)],
    one.held_until && one.status === "held" ? [t("fact.held_until"), moment(one.held_until)] : null,
  ].filter(Boolean);
  return el(
    "li",
    { class: `card${isOff ? " faded" : ""}` },
    el("p", { class: "text" }, one.title),
    el("div", { class: "badges" }, el("span", { class: `badge${isOff ? " bad" : one.status === "held" ? " warn" : ""}` }, t(`booking.${one.status}`))),
    el("dl", { class: "facts" }, facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
    isOff ? null : el("div", { class: "row" }, calendar(one.reference, t("calendar"))),
  );
}

function journey(trip) {
  const about_ = [trip.flight?.airline, trip.hotel?.name, trip.car?.company, named("purpose", trip.purpose)].filter(Boolean).join(", ");
  return el(
    "li",
    { class: "card" },
    el("p", { class: "text" }, `${trip.origin} → ${trip.destination}`),
    el("p", { class: "note" }, `${day(trip.start)} – ${day(trip.end)}${about_ ? ` · ${about_}` : ""}`),
  );
}
