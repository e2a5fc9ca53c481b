/** The value of a series in the text format of Prometheus, 0 where it is not there; labels in any order. */
export function valueOf(text: string, series: string): number {
  const wanted = canonical(series);
  const found = text.split('\n').find(line => canonical(line.slice(0, line.lastIndexOf(' '))) === wanted);
  return found === undefined ? 0 : Number(found.slice(found.lastIndexOf(' ') + 1));
}

/** The series of a name. */
export function seriesOf(text: string, name: string): string[] {
  return text
    .split('\n')
    .filter(line => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .map(line => line.slice(0, line.lastIndexOf(' ')));
}

function canonical(series: string): string {
  const [, name = '', labels = ''] = /^([^{]+)(?:\{(.*)\})?$/.exec(series) ?? [];
  return `${name}{${(labels.match(/\w+="[^"]*"/g) ?? []).sort().join(',')}}`;
}
