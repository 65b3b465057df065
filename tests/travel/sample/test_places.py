from __future__ import annotations

import pytest

from config.errors import AmbiguousPlaceError, UnknownPlaceError
from travel.sample.places.airports import Airport
from travel.sample.places.gazetteer import candidates, meant


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("London", "LON"), ("london", "LON"), ("LON", "LON"), ("Heathrow", "LHR"), ("LHR", "LHR"),
        ("東京", "TYO"), ("Tokyo", "TYO"), ("成田空港", "NRT"), ("羽田", "HND"), ("関空", "KIX"),
        ("Lisboa", "LIS"), ("リスボン", "LIS"), ("Lisbon, Portugal", "LIS"), ("München", "MUC"), ("São Paulo", "SAO"),
        ("京都", "UKY"), ("New York, NY", "NYC"), ("Washington DC", "WAS"), ("Paris", "PAR"), ("Paris, Texas", "PRX"),
        ("Portland, Maine", "PWM"), ("portland or", "PDX"), ("San Jose, Costa Rica", "SJO"), ("ホーチミン", "SGN"),
        ("Portland, Oregon, US (PDX)", "PDX"), ("Goa", "GOI"), ("Toulouse", "TLS"),
        ("London (Heathrow)", "LHR"), ("Paris CDG", "CDG"), ("nyc", "NYC"), ("sfo", "SFO"), ("バリ", "DPS"),
        ("パリ", "PAR"), ("Santiago", "SCL"), ("London City", "LCY"),
    ],
)  # fmt: skip
def test_a_place_is_understood_as_people_say_it(said: str, code: str) -> None:
    assert meant(said).code == code


def test_a_city_has_all_its_airports_and_an_airport_itself() -> None:
    city, airport = meant("London"), meant("Gatwick")
    assert set(city.airports) >= {"LHR", "LGW", "STN", "LTN", "LCY"}
    assert (city.zone, meant("ロンドン")) == ("Europe/London", city)
    assert not isinstance(city, Airport)
    assert isinstance(airport, Airport)
    assert airport.airports == ("LGW",)


@pytest.mark.parametrize(("said", "codes"), [("Portland", {"PDX", "PWM"}), ("San Jose", {"SJC", "SJO"})])
def test_an_ambiguous_name_lists_candidates_that_are_understood(said: str, codes: set[str]) -> None:
    with pytest.raises(AmbiguousPlaceError) as caught:
        meant(said)
    assert {meant(candidate).code for candidate in caught.value.candidates} >= codes
    assert all(candidate in str(caught.value) for candidate in caught.value.candidates)
    assert {place.code for place in candidates(said)} >= codes


def test_a_mistyped_name_suggests_what_was_meant() -> None:
    with pytest.raises(UnknownPlaceError, match="Did they mean Lisbon") as caught:
        meant("Lisbonn")
    assert meant(caught.value.suggestions[0]).code == "LIS"


@pytest.mark.parametrize(
    ("said", "city"), [("Portugal", "LIS"), ("ポルトガル", "LIS"), ("Japan", "TYO"), ("USA", "NYC")]
)
def test_a_country_names_its_largest_cities(said: str, city: str) -> None:
    with pytest.raises(AmbiguousPlaceError) as caught:
        meant(said)
    assert city in {meant(candidate).code for candidate in caught.value.candidates}


def test_a_country_of_one_city_means_that() -> None:
    assert (meant("Aruba").code, meant("アルバ").code) == ("AUA", "AUA")


@pytest.mark.parametrize("said", ["x" * 10_000, "Xyzzyq", "", "...", "🙂", "Lisbon, Japan", "(XQZ)"])
def test_nonsense_is_unknown(said: str) -> None:
    with pytest.raises(UnknownPlaceError):
        candidates(said)
