// The page of stored conversations.

import { api } from "../base/api.js";
import { openDialog } from "../base/dialog.js";
import { button, el, fill } from "../base/dom.js";
import { emit } from "../base/signals.js";
import { complain, toast } from "../base/toast.js";
import { counted, moment, t } from "../base/words.js";
import { conversation, openConversation, startAnew } from "../chat/conversation.js";

/** Fetch the conversations; return the function that draws them into `page`. */
export async function drawConversations(page) {
  const { threads } = await api.threads();
  return () => fill(page, head(), threads.length ? el("ul", { class: "cards" }, threads.map(card)) : el("p", { class: "empty" }, t("no_conversations")));
}

function head() {
  const begin = () => {
    startAnew();
    emit("to-chat");
    document.getElementById("message").focus();
  };
  return el("div", {}, button(t("new_conversation"), begin, { "data-key": "new-conversation" }));
}

function card(thread) {
  const isOpen = thread.thread_id === conversation.id;
  const title = thread.title || t("untitled");
  const shown = () => {
    emit("to-chat");
    document.getElementById("chat-title").focus();
  };
  const open = () => openConversation(thread.thread_id).then(shown, complain);
  const facts = [moment(thread.last_at), counted("turns", thread.turns)].join(" · ");
  const key = (name) => ({ class: "plain", "data-key": `${name}-${thread.thread_id}`, "aria-label": `${t(name)}: ${title}` });
  return el(
    "li",
    { class: `card${isOpen ? " lit" : ""}` },
    el("p", {}, title),
    el("p", { class: "note" }, facts, isOpen ? ` · ${t("open_now")}` : ""),
    el("div", { class: "row" }, isOpen ? null : button(t("open"), open, key("open")), button(t("delete"), () => remove(thread, title), { ...key("delete"), class: "plain danger" })),
  );
}

function remove(thread, title) {
  const submit = async () => {
    await api.deleteThread(thread.thread_id);
    if (thread.thread_id === conversation.id) startAnew();
    emit("memory");
    toast(t("conversation_deleted"));
  };
  const content = () => [el("p", {}, t("delete_conversation_sure")), el("blockquote", {}, title)];
  openDialog(t("delete_conversation"), content, { submit, words: t("delete"), danger: true });
}
