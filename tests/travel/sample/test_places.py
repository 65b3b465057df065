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
def test_place_is_found_by_its_common_names(said: str, code: str) -> None:
    assert meant(said).code == code


def test_city_has_all_its_airports_and_an_airport_only_itself() -> None:
    city, airport = meant("London"), meant("Gatwick")
    assert set(city.airports) >= {"LHR", "LGW", "STN", "LTN", "LCY"}
    assert (city.zone, meant("ロンドン")) == ("Europe/London", city)
    assert not isinstance(city, Airport)
    assert isinstance(airport, Airport)
    assert airport.airports == ("LGW",)


@pytest.mark.parametrize(("said", "codes"), [("Portland", {"PDX", "PWM"}), ("San Jose", {"SJC", "SJO"})])
def test_ambiguous_name_lists_valid_candidates(said: str, codes: set[str]) -> None:
    with pytest.raises(AmbiguousPlaceError) as caught:
        meant(said)
    assert {meant(candidate).code for candidate in caught.value.candidates} >= codes
    assert all(candidate in str(caught.value) for candidate in caught.value.candidates)
    assert {place.code for place in candidates(said)} >= codes


def test_mistyped_name_suggests_the_right_one() -> None:
    with pytest.raises(UnknownPlaceError, match="Did they mean Lisbon") as caught:
        meant("Lisbonn")
    assert meant(caught.value.suggestions[0]).code == "LIS"


@pytest.mark.parametrize(
    ("said", "city"), [("Portugal", "LIS"), ("ポルトガル", "LIS"), ("Japan", "TYO"), ("USA", "NYC")]
)
def test_country_lists_its_largest_cities(said: str, city: str) -> None:
    with pytest.raises(AmbiguousPlaceError) as caught:
        meant(said)
    assert city in {meant(candidate).code for candidate in caught.value.candidates}


def test_country_with_one_city_means_that_city() -> None:
    assert (meant("Aruba").code, meant("アルバ").code) == ("AUA", "AUA")


@pytest.mark.parametrize("said", ["x" * 10_000, "Xyzzyq", "", "...", "🙂", "Lisbon, Japan", "(XQZ)"])
def test_nonsense_is_unknown(said: str) -> None:
    with pytest.raises(UnknownPlaceError):
        candidates(said)
