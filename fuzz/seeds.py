#!/usr/bin/env python3
"""Writes the first inputs of every target under fuzz/corpus, made of the bundled fixture and of the texts below."""

import gzip
import hashlib
import io
import pathlib
import tarfile

FUZZ = pathlib.Path(__file__).resolve().parent
FIXTURE = FUZZ.parent / "fixtures" / "ai-stack" / "before" / "amd"
PART = b"\xff"
CHART = "apiVersion: v2\nname: app\nversion: 0.1.0\n"

TEMPLATES = [
    "{{ .Values.a | default \"b\" | quote }}",
    "{{- range $i, $v := .Values.list -}}{{ $i }}: {{ $v }}{{ if eq $i 3 }}{{ break }}{{ else }}{{ continue }}{{ end }}{{- end -}}",
    "{{ with .Values.m }}{{ toYaml . | nindent 2 }}{{ else with .Values.n }}{{ . }}{{ else }}x{{ end }}",
    "{{ define \"t\" }}{{ .a }}{{ end }}{{ template \"t\" .Values }}{{ include \"t\" .Values | trunc 3 }}",
    "{{ block \"b\" . }}{{ tpl .Values.a . }}{{ end }}",
    "{{ $d := dict \"a\" 1 }}{{ $_ := set $d \"d\" $d }}{{ toYaml $d }}{{ printf \"%v %d %q %5.2f\" $d 1 \"x\" 1.5 }}",
    "{{ printf \"%-10s|%08.3f|%x|%U|%T|%*d\" \"é\" 3.14 \"abc\" 'x' nil 3 4 }}",
    "{{ list 1 2 3 | toJson }}{{ until 5 }}{{ untilStep 1 10 3 }}{{ seq 1 2 9 }}{{ chunk 2 (list 1 2 3) }}",
    "{{ regexReplaceAll \"(a+)(b|c)*\" \"aabbc\" \"${1}x$2\" }}{{ regexFindAll \"[a-z&&[^b]]\" \"abc\" -1 }}",
    "{{ substr 0 2 \"éa\" }}{{ trunc -3 \"héé\" }}{{ abbrev 5 \"hello world\" }}{{ abbrevboth 2 7 \"hello world\" }}{{ wrapWith 3 \"-\" \"hé llo\" }}",
    "{{ semverCompare \"^1.2.x || >=3-0\" \"1.3.0-rc.1+b\" }}{{ (semver \"1.2.3\").Major }}",
    "{{ \"1h30m\" | duration }}{{ durationRound \"2h10m5s\" }}{{ date \"2006-01-02T15:04:05Z07:00\" 0 }}{{ dateModify \"-1.5h\" now }}{{ toDate \"2006-01-02\" \"2017-12-31\" }}",
    "{{ fromYaml \"a: [1, {b: c}]\" }}{{ fromJson \"[1e400]\" }}{{ fromToml \"a = 1979-05-27T07:32:00Z\" }}",
    "{{ urlParse \"http://u:p@h:1/p?q#f\" }}{{ urlJoin (dict \"host\" \"h\" \"path\" \"p\") }}",
    "{{ .Files.Get \"../x\" }}{{ range $p, $b := .Files.Glob \"**\" }}{{ $p }}{{ end }}{{ .Files.Lines \"a\" }}",
    "{{ add 1 9223372036854775807 }}{{ div 1 2 }}{{ mod 5 3 }}{{ mul 9223372036854775807 2 }}{{ int64 \"0x10\" }}{{ float64 \"1e308\" }}{{ round 1.55 1 }}{{ addf 1.1 2 }}",
    "{{ mergeOverwrite (dict \"a\" (dict \"b\" 1)) .Values }}{{ deepCopy .Values }}{{ dig \"a\" \"b\" 1 .Values }}{{ pluck \"a\" .Values }}{{ index .Values \"a\" }}{{ slice \"abc\" 1 2 }}",
    "{{/* c */}}{{- /* d */ -}}{{ `raw` }}{{ 'a' }}{{ 0x1F }}{{ 1_000 }}{{ 1e3 }}{{ 1i }}{{ nil | not }}{{ $x := 1 }}{{ $x = 2 }}{{ (.Values.a).b }}",
    "{{ sha256sum \"a\" }}{{ b64enc \"a\" | b64dec }}{{ b32enc \"a\" }}{{ adler32sum \"a\" }}{{ htpasswd \"a\" \"b\" }}{{ encryptAES \"k\" \"t\" }}{{ randAlphaNum 5 }}{{ uuidv4 }}{{ shuffle \"abc\" }}",
    "{{ snakecase \"FooBar\" }}{{ camelcase \"foo_bar\" }}{{ kebabcase \"Foo Bar\" }}{{ title \"foo\" }}{{ swapcase \"aB\" }}{{ initials \"Foo Bar\" }}{{ plural \"a\" \"b\" 2 }}{{ nospace \"a b\" }}{{ cat 1 \"a\" }}{{ indent 2 \"a\\nb\" }}",
    "{{ kindOf 1 }}{{ typeOf . }}{{ kindIs \"map\" . }}{{ deepEqual . . }}{{ ternary 1 2 true }}{{ empty 0 }}{{ coalesce 0 1 }}{{ fail \"x\" }}{{ required \"m\" .Values.z }}{{ lookup \"v1\" \"Pod\" \"\" \"\" }}",
    "{{ sortAlpha (list \"b\" 1) }}{{ uniq (list 1 1) }}{{ without (list 1 2) 1 }}{{ has 1 (list 1) }}{{ first (list) }}{{ initial (list 1 2) }}{{ concat (list 1) (list 2) }}{{ splitn \".\" 2 \"a.b.c\" }}{{ join \",\" (list 1 nil) }}",
]
VALUES = [
    "a: b\nlist: [1, two, 3.5, null, true]\nm: {x: {y: z}}\nn: 1\n",
    "a: '{{ .Values.n }}'\nn: &x [1, 2]\nb: *x\nm: {<<: {q: 1}}\n",
    "a: |\n  {{ define \"q\" }}{{ . }}{{ end }}{{ template \"q\" 1 }}\nlist:\n- a: 0x1F\n- 1_000\n- .inf\n- 2001-12-14t21:59:43.10-05:00\n",
]
YAML = VALUES + [
    "- ? complex\n  : value\n- !!binary aGk=\n- !!str 1\n- \"\\x41\\u00e9\\n\\\n  folded\"\n- >-\n  folded\n   more\n\n  end\n- |+2\n    kept\n\n",
    "%YAML 1.1\n%TAG ! tag:x,2000:\n--- !t\na: &a {b: [*a]}\n...\n---\n# comment\n'single ''quoted''': ~\n? [a, b]\n: yes\n",
    "kind: ConfigMap\napiVersion: v1\nmetadata: {name: a, namespace: b}\ndata:\n  k: |\n    a\n---\nkind: List\nitems:\n- kind: Pod\n  metadata: {name: p}\n",
    "&a [&b [*a, *b], {? *b : c}, 0o17, 017, 1:30, on, NO, ~, 1e3, -.inf, .NaN, +12, 0b11]\n",
]
SET = ["a.b=c,d[0].e=1", "a={1,2,x}", "a\\.b=c\\,d", "a[2][1]=null", "a.b[0]={}", "a=true,b=007,c=9223372036854775808", "a={\"b\": [1]},c=1e400", "a=f", "=", "a[", "a[-1]=1", "a[65536]=1"]
JSON = ['{"a": [1, 2.5e-3, "\\u00e9\\ud83d\\ude00", null, true, {"": ""}], "a": {}}', "[1e400, -0, 18446744073709551615]", '"\\ud800"', "[[[[]]]]"]
TOML = ["a = 1\n[t.u]\nb = [1, 'x', \"\"\"m\n l\"\"\"]\n[[arr]]\nc = 1979-05-27T07:32:00.5-07:00\n[[arr]]\nd = {e = 0x1F, f.g = nan}\n", "a.b = 07:32:00\n'q u' = 1979-05-27\nx = 1_000e-2\ny = '''r'''\n"]
SCHEMAS = ['{"type": "object", "properties": {"a": {"type": "string", "pattern": "^b+$"}}, "required": ["zz"]}', '{"$ref": "#/definitions/x", "definitions": {"x": {"$ref": "#"}}, "anyOf": [{"minProperties": 1}, {"not": {}}]}']
CONFIGS = [
    'kubeVersion: v1.36.2\nhelmVersion: "4.3"\nplatforms: {x: {}, y: {apiVersions: [a/v1]}}\nreleases:\n- charts: "{m}"\n  name: "{m}"\n  values: ["{m}/values.yaml?"]\n',
    'releases:\n- name: r\n  chart: a\n  namespace: n\n  platforms: [x]\n  set: ["a=1"]\n  values: [a/values.yaml, {a: 1}]\n- name: raw\n  manifests: b/*.yaml\nplatforms: {x: {}}\nprotect: ["Deployment/*"]\nchecks: {unread-key: warn}\n',
]


def archive(files, kind=tarfile.GNU_FORMAT):
    """The bytes of a tar file."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=kind) as tar:
        for name, text in files:
            info = tarfile.TarInfo(name)
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text))
    return out.getvalue()


def main():
    corpus = {name: [] for name in "template yaml manifest set archive chart json toml render config pin".split()}
    templates = [path.read_bytes() for path in sorted(FIXTURE.glob("*/templates/*.*"))]
    values = [path.read_bytes() for path in sorted(FIXTURE.glob("*/values.yaml"))]
    corpus["template"] = [text.encode() for text in TEMPLATES] + templates[:12]
    corpus["yaml"] = [text.encode() for text in YAML] + [text[:3000] for text in values[:8]]
    raw = [path.read_bytes()[:3000] for path in sorted(FIXTURE.glob("*/manifests/*.yaml"))]
    corpus["manifest"] = [a.encode() + PART + b.encode() for a, b in zip(YAML, YAML[1:])] + [
        a + PART + b for a, b in zip(raw[:8], raw[1:8])
    ]
    corpus["set"] = [bytes([kind]) + text.encode() for kind in range(5) for text in SET]
    files = [("app/Chart.yaml", CHART.encode()), ("app/values.yaml", b"a: 1\n"), ("app/templates/a.yaml", b"{{ .Values.a }}"),
             ("app/charts/c/Chart.yaml", CHART.replace("app", "c").encode()), ("app/" + "n" * 150 + "/README", b"x")]
    tars = [archive(files, kind) for kind in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT)]
    corpus["archive"] = tars + [gzip.compress(tars[0], mtime=0), archive([("app/../x", b"y")])]
    metadata = CHART + "dependencies:\n- {name: child, version: 1.x, alias: kid, condition: kid.on, tags: [t], import-values: [{child: a, parent: b}, d]}\n"
    child = CHART.replace("app", "child") + "type: library\n"
    corpus["chart"] = [
        PART.join(text.encode() for text in (meta, value, schema, "*.txt\n!a\n/b/\n", "", child, value, VALUES[0]))
        for meta in (CHART, metadata) for value in VALUES for schema in ("", *SCHEMAS)
    ]
    corpus["json"] = [text.encode() for text in JSON + SCHEMAS]
    corpus["toml"] = [text.encode() for text in TOML + JSON + YAML]
    corpus["render"] = [PART.join((text.encode(), VALUES[at % 3].encode(), b"{{ define \"t\" }}{{ .a }}{{ end }}")) for at, text in enumerate(TEMPLATES)]
    corpus["config"] = [text.encode() for text in CONFIGS]
    corpus["pin"] = [b"schema: evenkeel.pin/v1\nname: p\n"]
    for name, inputs in corpus.items():
        folder = FUZZ / "corpus" / name
        folder.mkdir(parents=True, exist_ok=True)
        for text in inputs:
            (folder / hashlib.sha1(text).hexdigest()).write_bytes(text)


main()
