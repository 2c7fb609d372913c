"""The language at work: values, clauses, combinators, Models, in the application tests/apps/atlas."""
import json

CITY = "world.city."
TALLY = "world.tally."


def cities(app):
    """Four cities, as the tests know them."""
    for code, name, people, area in (("aa", "Arden", 900_000, "30.5"), ("bb", "Birk", 1_500_000, "12"),
                                     ("cc", "Arcole", None, "1"), ("dd", "Dorn", 2_000_000, "4")):
        app.call(CITY + "add", code=code, name=name, people=people, area=area, height=None,
                 founded=None)


def test_numbers_follow_their_rules(lab):
    """Int truncates toward zero, Decimal is exact in 34 digits, Float is binary64."""
    app = lab.app("atlas")
    assert app.call(TALLY + "whole", a=-7, b=2) == [-5, -9, -14, -3, -1, 7]
    assert app.call(TALLY + "whole", a=9223372036854775806, b=1) == [
        9223372036854775807, 9223372036854775805, 9223372036854775806, 9223372036854775806, 0,
        -9223372036854775806]
    assert app.call(TALLY + "exact", a="1", b="3") == [
        "4", "-2", "3", "0.3333333333333333333333333333333333", "-1"]
    assert app.call(TALLY + "exact", a="0.10", b="2.50") == ["2.6", "-2.4", "0.25", "0.04", "-0.1"]
    assert app.call(TALLY + "exact", a="1200", b="1") == ["1201", "1199", "1.2E+3", "1.2E+3", "-1.2E+3"]
    assert app.call(TALLY + "near", a=1, b=4.0) == [5.0, -3.0, 4.0, 0.25, 0.5]
    text = app.raw(TALLY + "near", '{"a":8,"b":2.5}').stdout
    assert '"data":[10.5,5.5,20.0,3.2,4.0]' in text, text
    assert app.call(TALLY + "ordered", a=5, b="5.5", c="x") == [True, False, True, True, True]
    assert app.call(TALLY + "ordered", a=0x7FFF, b="5.5", c="y") == [False, True, False, True, True]


def test_faults_are_500_and_name_their_place_in_the_log(lab):
    """Overflow and division by zero are faults; the envelope has no payload, stderr the place."""
    app = lab.app("atlas")
    for inputs in ({"a": 9223372036854775807, "b": 1}, {"a": 1, "b": 0}):
        done = app.raw(TALLY + "whole", json.dumps(inputs))
        assert done.returncode == 1, done
        envelope = json.loads(done.stdout)
        assert envelope["code"] == 500 and envelope["data"] is None, envelope
        assert "module/world/tally/app.dever:" in done.stderr, done.stderr


def test_short_circuit_keeps_the_right_side_from_running(lab):
    """`or` with a true left side does not divide by zero on the right."""
    app = lab.app("atlas")
    assert app.call(TALLY + "ordered", a=6, b="1", c="x")[4] is True
    assert app.refused(TALLY + "ordered", a=0, b="1", c="x")["code"] == 500


def test_values_go_through_the_wire_unchanged(lab):
    """facts/orm.md 10.2: every wire type in and out."""
    app = lab.app("atlas")
    values = {
        "yes": True, "whole": -9223372036854775808, "exact": "-12.5", "near": 0.1,
        "text": "é\u0000\n\"\\😀", "id": "any id", "key": "0190f3b4-0000-7000-8000-0123456789ab",
        "moment": "2024-02-29T23:59:59.125Z", "day": "2024-02-29", "clock": "07:05:00.250",
        "span": -5, "raw": {"a": [1, 2.50, None]}, "maybe": None, "many": [[1, None], []],
    }
    assert app.call(TALLY + "values", **values) == values
    other = {**values, "key": values["key"].upper(), "exact": "2.50", "maybe": "there",
             "moment": "2024-02-29T23:59:59.125+02:00", "clock": "00:00:00"}
    data = app.call(TALLY + "values", **other)
    assert data["key"] == values["key"] and data["exact"] == "2.5" and data["maybe"] == "there"
    assert data["moment"] == "2024-02-29T21:59:59.125Z" and data["clock"] == "00:00:00"
    done = app.raw(TALLY + "values", json.dumps({**values, "raw": 0}).replace('"raw": 0', '"raw": 2.50'))
    assert '"raw":2.50' in done.stdout, done.stdout


def test_inputs_are_strict(lab):
    """language.md 14: 400 and nothing runs: wrong type, missing, unknown, duplicate, not an object."""
    app = lab.app("atlas")
    bad = ['{"a":1}', '{"a":1,"b":2,"c":3}', '{"a":1,"a":2,"b":3}', '{"a":1.0,"b":2}', '{"a":1e0,"b":2}',
           '{"a":"1","b":2}', '{"a":null,"b":2}', '{"a":true,"b":2}', '[1,2]', '1', 'null', '', '{',
           '{"a":1,"b":2}x', '{"a":1,"b":9223372036854775808}', "{'a':1,'b':2}", '{"a":1,"b":2,}',
           '{"a":01,"b":2}']
    for text in bad:
        envelope = app.refused(TALLY + "whole", text)
        assert envelope["code"] == 400, (text, envelope)
    assert app.call(TALLY + "whole", a=-0, b=1) == [1, -1, 0, 0, 0, 0]
    for name, values in (("day", ["2024-2-29", "2023-02-29", "20240229"]),
                         ("moment", ["2024-02-29T23:59:59.1234Z", "2024-02-29T23:59:60Z",
                                     "2023-02-29T00:00:00Z", "2024-02-29T00:00:00"]),
                         ("clock", ["07:05", "07:05:00.2", "24:00:00"]),
                         ("key", ["0190f3b4000070008000012345678900", "{x}"]),
                         ("exact", [2.5, "1e", "", "12345678901234567890123456789012345"]),
                         ("near", ["1", True])):
        for value in values:
            inputs = {"yes": True, "whole": 1, "exact": "1", "near": 1.0, "text": "", "id": "",
                      "key": "0190f3b4-0000-7000-8000-0123456789ab",
                      "moment": "2024-02-29T23:59:59Z", "day": "2024-02-29", "clock": "07:05:00",
                      "span": 0, "raw": None, "maybe": None, "many": [], name: value}
            envelope = app.refused(TALLY + "values", **inputs)
            assert envelope["code"] == 400, (name, value, envelope)


def test_nullable_input_may_be_left_out(lab):
    """A missing nullable input reads as null."""
    app = lab.app("atlas")
    assert app.call(TALLY + "picked", deep=True, size=1) == "nothing deep"
    assert app.call(TALLY + "picked", word=None, deep=False, size=3) == "nothing small"
    assert app.call(TALLY + "picked", deep=False, size=4) == "nothing large"
    assert app.call(TALLY + "picked", word="red", deep=True, size=0) == "red"
    assert app.call(TALLY + "picked", word="", deep=False, size=0) == "some word"


def test_clauses_choose_by_ranges_and_literals(lab):
    """Borders belong to one clause each; a failure's payload never leaves."""
    app = lab.app("atlas")
    assert [app.call(TALLY + "band", age=n) for n in (0, 17, 18, 19)] == [
        "child", "child", "just grown", "adult"]
    assert app.refused(TALLY + "band", age=-1) == {
        "code": 500, "message": "world.tally.app.TallyError.Negative", "data": None}


def test_api_errors_have_their_http_codes(lab):
    """language.md 14: the codes of dever.api.Error."""
    app = lab.app("atlas")
    for code, name in ((400, "Invalid"), (401, "Unauthorized"), (403, "Forbidden"),
                       (404, "NotFound"), (409, "Conflict"), (429, "TooManyRequests")):
        envelope = app.refused(TALLY + "conflict", kind=code)
        assert envelope["code"] == code and name in envelope["message"], envelope
    assert app.refused(TALLY + "conflict", kind=1)["code"] == 500


def test_records_lists_and_texts_work_together(lab):
    """reduce, each, join, nested lists, nullable record."""
    app = lab.app("atlas")
    lines = [{"price": "1.25", "count": 2, "tags": ["new", "é"]}, {"price": "10", "count": 1, "tags": []}]
    bill = app.call(TALLY + "bill", lines=lines, rate="19")
    assert bill["total"] == "12.5" and bill["tax"] == "2.38", bill
    assert bill["words"] == "2 x 1.25 (new,é); 1 x 1E+1", bill
    assert bill["first"] == lines[0] | {"price": "1.25"}, bill
    empty = app.call(TALLY + "bill", lines=[], rate="19")
    assert empty == {"lines": [], "total": "0", "tax": "0", "words": "", "first": None}, empty
    assert app.call(TALLY + "texts", word=" a Bär ") == [
        " A BÄR ", " a bär ", "a Bär", " _ Bär ", "7", "|a|Bär|"]


def test_copies_are_independent(lab):
    """Value semantics: changing a field of one copy leaves the other alone."""
    app = lab.app("atlas")
    lines = app.call(TALLY + "copies", line={"price": "5", "count": 1, "tags": ["x"]})
    assert lines == [{"price": "0", "count": 1, "tags": ["x"]}, {"price": "5", "count": 2, "tags": ["x"]}]


def test_long_lists_are_handled(lab):
    """Ten thousand records in and out."""
    app = lab.app("atlas")
    lines = [{"price": str(n), "count": 1, "tags": []} for n in range(10_000)]
    done = app.raw(TALLY + "bill", "-", stdin=json.dumps({"lines": lines, "rate": "0"}))
    assert json.loads(done.stdout)["data"]["total"] == "4.9995E+7", done.stdout[-200:]


def test_standard_input_is_read_for_a_dash(lab):
    """`app <command> -` reads its JSON from standard input; blanks around it are fine."""
    app = lab.app("atlas")
    done = app.raw(TALLY + "whole", "-", stdin=' {"a": 1,\n "b": 2}\n')
    assert json.loads(done.stdout)["data"] == [3, -1, 2, 0, 1, -1], done
    assert app.refused(TALLY + "whole", "-", stdin="")["code"] == 400


def test_printing_comes_before_the_answer(lab):
    """dever.io.println writes to standard output at once."""
    app = lab.app("atlas")
    done = app.raw(TALLY + "loud", '{"word":"hey"}')
    assert done.stdout == 'said: hey\n{"code":0,"message":"ok","data":"hey"}\n', done.stdout


def test_wrong_command_lines_are_refused(lab):
    """Unknown command, missing JSON, too many arguments: exit 1 and a word about it."""
    app = lab.app("atlas")
    for arguments in (["world.tally.nope", "{}"], ["world.tally.whole"], ["a", "b", "c"], [""]):
        done = app.raw(*arguments)
        assert done.returncode == 1 and done.stderr + done.stdout, (arguments, done)
    done = app.raw("world.tally.nope", "{}")
    assert "world.tally.nope" in done.stdout + done.stderr


def test_program_without_main_says_what_to_add(lab):
    """language.md: started without a command, a program without main.dever says what to add."""
    app = lab.app("atlas")
    done = app.raw()
    assert done.returncode == 1 and "main.dever" in done.stderr + done.stdout, done


# ---- Models ----


def test_model_creates_with_defaults_and_reads_back(lab):
    """create returns the whole row; defaults, nullable fields, Decimal(10, 2), Date."""
    app = lab.app("atlas")
    city = app.call(CITY + "add", code="par", name="Paris", people=2_100_000, area="105.4", height=35.5,
                    founded="0250-01-01")
    assert city == {"code": "par", "name": "Paris", "climate": "mild", "people": 2_100_000,
                    "area": "105.4", "height": 35.5, "founded": "0250-01-01", "capital": False,
                    "density": "19924.1"}, city
    assert app.call(CITY + "show", code="par") == city
    row = app.db.one("SELECT * FROM city")
    assert row["climate"] == "Mild" and row["capital"] == 0 and len(row["reference"]) == 16, row
    assert app.call(CITY + "get", id=row["id"]) == city
    assert row["created_at"] > 1_600_000_000_000, row


def test_model_failures_have_their_names(lab):
    """Constraint, NotFound, InvalidData; own failures; nothing of the data in the envelope."""
    app = lab.app("atlas")
    cities(app)
    one = {"code": "aa", "name": "x", "people": 1, "area": "1", "height": None, "founded": None}
    assert app.refused(CITY + "add", **one)["message"] == "dever.database.Error.Constraint"
    assert app.refused(CITY + "add", **{**one, "code": "a"})["message"].startswith(
        "dever.database.Error."), "shorter than Text(2, 8)"
    assert app.refused(CITY + "add", **{**one, "code": "zz", "area": "1.234"})["message"] == \
        "dever.database.Error.InvalidData"
    assert app.refused(CITY + "get", id=999)["message"] == "dever.database.Error.NotFound"
    envelope = app.refused(CITY + "show", code="secret")
    assert envelope["message"] == "world.city.app.CityError.Unknown", envelope
    for page, size in ((0, 10), (1, 0), (1, 51)):
        envelope = app.refused(CITY + "page", page=page, size=size)
        assert envelope["message"] == "dever.database.Error.InvalidData", envelope
    assert app.db.value("SELECT count(*) FROM city") == 4


def test_transaction_rolls_back_all_its_writes(lab):
    """E62, E64: a taken code in the second create removes the first; an inner transaction joins."""
    app = lab.app("atlas")
    assert len(app.call(CITY + "add_pair", first="aa", second="bb")) == 2
    assert app.refused(CITY + "add_pair", first="cc", second="aa")["code"] == 500
    assert app.db.value("SELECT count(*) FROM city") == 2
    assert app.call(CITY + "grow", code="aa", more=10)["people"] == 10
    envelope = app.refused(CITY + "grow", code="aa", more=50_000_000)
    assert envelope["message"] == "world.city.app.CityError.Crowded"
    assert app.call(CITY + "show", code="aa")["people"] == 10
    assert app.refused(CITY + "grow_both", first="aa", second="zz", more=5)["code"] == 500
    assert app.call(CITY + "show", code="aa")["people"] == 10
    assert app.call(CITY + "grow_both", first="aa", second="bb", more=5) == 20


def test_model_lists_orders_and_pages(lab):
    """order with a tie-breaker, page, size, total, pages."""
    app = lab.app("atlas")
    cities(app)
    assert app.call(CITY + "page", page=1, size=3) == ["dd", "bb", "aa"]
    assert app.call(CITY + "page", page=2, size=3) == ["cc"]
    assert app.call(CITY + "page", page=3, size=3) == []
    assert app.call(CITY + "pages", size=3) == 2004


def test_model_conditions_select(lab):
    """contains, starts_with, ends_with, between, in, not, null, and, or."""
    app = lab.app("atlas")
    cities(app)
    assert app.call(CITY + "search", word="Ar", least=0, most=10_000_000) == ["aa", "cc"]
    assert app.call(CITY + "search", word="b", least=1, most=10_000_000) == ["bb"]
    assert app.call(CITY + "search", word="%", least=0, most=10_000_000) == []
    assert app.call(CITY + "undated") == 3
    assert app.call(CITY + "move_climate", **{"from": "mild", "to": "dry"}) == 4
    assert app.call(CITY + "dry_or_cold") == 4
    assert app.call(CITY + "move_climate", **{"from": "mild", "to": "cold"}) == 0
    assert app.call(CITY + "forget", code="aa") == 1
    assert app.call(CITY + "forget", code="aa") == 0


def test_combinators_work_on_rows(lab):
    """each over a page, reduce to a nullable record, filter with context, find."""
    app = lab.app("atlas")
    assert app.call(CITY + "summary") == {"count": 0, "people": 0, "largest": None, "names": []}
    cities(app)
    summary = app.call(CITY + "summary")
    assert (summary["count"], summary["people"]) == (4, 4_400_000), summary
    assert summary["largest"]["code"] == "dd" and summary["names"] == ["Birk", "Dorn"], summary
    assert app.call(CITY + "first_over", people=1_000_000)["code"] == "bb"
    assert app.call(CITY + "first_over", people=9_000_000) is None


def test_topic_model_keeps_foreign_keys(lab):
    """A Model topic with a foreign key, times and durations; a unique pair."""
    app = lab.app("atlas")
    cities(app)
    visit = {"code": "aa", "guest": "Ada", "moment": "2026-01-01T10:00:00Z", "stay": 90_000,
             "hour": "10:00:00"}
    assert app.call(CITY + "last_visit", code="aa") is None
    app.call(CITY + "visit", **visit)
    assert app.call(CITY + "last_visit", code="aa") == "2026-01-01T10:01:30Z"
    assert app.refused(CITY + "visit", **visit)["message"] == "dever.database.Error.Constraint"
    assert app.refused(CITY + "forget", code="aa")["message"] == "dever.database.Error.Constraint"


def test_other_domain_calls_the_face(lab):
    """App calls App of another domain, short and full; failures travel through."""
    app = lab.app("atlas")
    cities(app)
    assert app.call("world.route.leg", **{"from": "aa", "to": "dd"}) == {
        "from": "Arden", "to": "Dorn", "people": 2_900_000}
    assert [leg["to"] for leg in app.call("world.route.legs", codes=["bb", "aa"])] == ["Birk", "Arden"]
    assert app.refused("world.route.legs", codes=["aa", "zz"])["message"] == \
        "world.city.app.CityError.Unknown"


def test_restart_keeps_tables_and_rows(lab):
    """Tables are made at the first start and used at the next."""
    app = lab.app("atlas")
    cities(app)
    before = app.db.rows("SELECT sql FROM sqlite_schema ORDER BY name")
    assert app.call(CITY + "pages", size=50) == 1004
    assert app.db.rows("SELECT sql FROM sqlite_schema ORDER BY name") == before


MATCHING = {
    "config/setting.json": '{ "database": { "default": { "type": "sqlite", "path": "data/db/lab.db" } } }\n',
    "module/lab/word/model.dever": "type Word {\n  text: Text(1, 50) unique\n}\n",
    "module/lab/word/app.dever": """add(text: Text) (id: model.id) {
  row = model.create({ text = text })
  id = row.id
}

starting(part: Text) (total: Int) {
  total = model.count({ where = starts_with(text, part) })
}

ending(part: Text) (total: Int) {
  total = model.count({ where = ends_with(text, part) })
}

holding(part: Text) (total: Int) {
  total = model.count({ where = contains(text, part) })
}
""",
    "module/lab/word/api.dever": "cmd add = app.add\ncmd starting = app.starting\ncmd ending = app.ending\ncmd holding = app.holding\n",
}


def test_text_conditions_take_every_character(lab):
    """NUL, quotes, wildcards and emoji are characters like any other; the empty text is part of all."""
    app = lab.app("words", project=lab.project(MATCHING))
    app.call("lab.word.add", text="a'%_\0é😀")
    rows = [("", 1, 1, 1), ("a'%_\0", 1, 0, 1), ("a", 1, 0, 1), ("_", 0, 0, 1), ("\0é😀", 0, 1, 1), ("😀", 0, 1, 1),
            ("a'%_\0é😀", 1, 1, 1), ("a'%_\0é😀!", 0, 0, 0), ("%", 0, 0, 1), ("A", 0, 0, 0)]
    for part, starting, ending, holding in rows:
        found = tuple(app.call(f"lab.word.{name}", part=part) for name in ("starting", "ending", "holding"))
        assert found == (starting, ending, holding), (part, found)


def test_database_failure_says_its_reason_in_the_log_without_values(lab):
    """Constraint and table, never what was written; each place once."""
    app = lab.app("words", project=lab.project(MATCHING))
    app.call("lab.word.add", text="hidden")
    done = app.raw("lab.word.add", '{"text":"hidden"}')
    assert done.returncode == 1 and "Constraint" in done.stdout, done
    assert '"reason":"' in done.stderr and "word" in done.stderr and "hidden" not in done.stderr, done.stderr
    assert done.stderr.count("app.dever:2:9") == 1, done.stderr
