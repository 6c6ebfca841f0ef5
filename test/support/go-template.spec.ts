import { GoTemplates } from './go-template';

const render = (source: string, data: object = {}): string => new GoTemplates().render(source, data);

/** The expected results are those of Go's text/template with Helm's functions. */
describe('GoTemplates', () => {
  it.each([
    ['a {{ .x }} b', { x: 1 }, 'a 1 b'],
    ['a {{- .x -}} b', { x: 1 }, 'a1b'],
    ['{{ .a.b.c }}', { a: {} }, ''],
    ['{{ if .x }}yes{{ else }}no{{ end }}', { x: [] }, 'no'],
    ['{{ if .x }}1{{ else if .y }}2{{ else }}3{{ end }}!', { y: 'y' }, '2!'],
    ['{{ if .x }}1{{ else if .y }}2{{ else }}3{{ end }}!', {}, '3!'],
    ['{{ with .x }}{{ .y }}{{ end }}', { x: { y: 2 } }, '2'],
    ['{{ range .x }}[{{ . }}{{ $.y }}]{{ end }}', { x: [1, 2], y: 'y' }, '[1y][2y]'],
    ['{{ range $k, $v := .x }}{{ $k }}={{ $v }};{{ end }}', { x: { b: 1, a: 2 } }, 'a=2;b=1;'],
    ['{{ define "d" }}<{{ .x }}>{{ end }}{{ include "d" . | nindent 2 }}', { x: 1 }, '\n  <1>'],
    ['{{ printf "%s-%s" .x (.y | default "z") }}', { x: 'x' }, 'x-z'],
    ['{{ toYaml .x | nindent 2 }}', { x: { a: { b: [1] } } }, '\n  a:\n    b:\n      - 1'],
    ['{{ .x | toJson | quote }}', { x: { a: 'b' } }, '"{\\"a\\":\\"b\\"}"'],
    ['{{ if not .x }}no{{ end }}{{/* a comment */}}', {}, 'no'],
  ])('%s', (source, data, expected) => {
    expect(render(source, data)).toBe(expected);
  });

  it.each([
    ['{{ upper .x }}', 'upper is not known'],
    ['{{ $x }}', '$x is not known'],
    ['{{ if .x }}', 'do not match'],
    ['{{ end }}', 'do not match'],
    ['{{ include "missing" . }}', 'missing is not defined'],
    ['{{ .x .y }}', 'is not understood'],
    ['{{ required "y is missing" .y }}', 'y is missing'],
    ['{{ .x }}', 'written as text'],
  ])('refuses %s', (source, fault) => {
    expect(() => render(source, { x: {} })).toThrow(fault);
  });
});
