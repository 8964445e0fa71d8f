import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { parse, parseAllDocuments, stringify } from 'yaml'

const read = (file: string): string =>
  readFileSync(new URL(`../deploy/helm/trainyard/${file}`, import.meta.url), 'utf8')

export type Values = Readonly<Record<string, unknown>>

/** Returns the chart's default values. */
export const chartValues = (): Values => parse(read('values.yaml')) as Values

/** Renders the chart's templates and returns their objects. */
export function renderChart(values: Values): unknown[] {
  return readdirSync(new URL('../deploy/helm/trainyard/templates/', import.meta.url)).flatMap((file) =>
    parseAllDocuments(render(read(`templates/${file}`), values)).map((document) => {
      const [problem] = [...document.errors, ...document.warnings]
      if (problem !== undefined) throw problem
      return document.toJS() as unknown
    }),
  )
}

/** Renders the few constructs that the templates use: values, `toYaml`, `if`, `fail`, `with` and `range`. */
function render(text: string, values: Values): string {
  const probe = (path: string) =>
    path.split('.').reduce<unknown>((value, key) => (value as Values | undefined)?.[key], values)
  const indented = (value: unknown, spaces: string) =>
    `\n${stringify(value)
      .trimEnd()
      .replaceAll(/^/gmu, ' '.repeat(Number(spaces)))}`
  const rendered = text
    .replaceAll(
      /\s*\{\{- if not \(or \.Values\.([\w.]+) \.Values\.([\w.]+)\) \}\}\s*\{\{- fail "(.*?)" \}\}\s*\{\{- end \}\}/gu,
      (_all, one: string, other: string, message: string) => {
        if (Boolean(probe(one)) || Boolean(probe(other))) return ''
        throw new Error(message)
      },
    )
    .replaceAll(
      /\s*\{\{- if (not )?\.Values\.([\w.]+) \}\}((?:(?!\{\{- (?:if|with|range|end)).)*)\s*\{\{- end \}\}/gsu,
      (_all, not: string | undefined, path: string, body: string) =>
        (not === undefined) === Boolean(probe(path)) ? body : '',
    )
    .replaceAll(
      /\s*\{\{- with \.Values\.([\w.]+) \}\}(.*?)\s*\{\{- end \}\}/gsu,
      (_all, path: string, body: string) => {
        const value = probe(path)
        if (value === '' || (Array.isArray(value) && value.length === 0)) return ''
        return body
          .replaceAll('{{ . }}', String(value))
          .replaceAll(/\s*\{\{- toYaml \. \| nindent (\d+) \}\}/gu, (_each, spaces: string) => indented(value, spaces))
      },
    )
    .replaceAll(
      /\s*\{\{- range \$name, \$value := \.Values\.([\w.]+) \}\}(.*?)\s*\{\{- end \}\}/gsu,
      (_all, path: string, body: string) =>
        Object.entries(probe(path) as Values)
          .map(([name, value]) =>
            body.replace('{{ $name }}', name).replace('{{ $value | quote }}', JSON.stringify(value)),
          )
          .join(''),
    )
    .replaceAll(/\s*\{\{- toYaml \.Values\.([\w.]+) \| nindent (\d+) \}\}/gu, (_all, path: string, spaces: string) =>
      indented(probe(path), spaces),
    )
    .replaceAll(
      /\{\{ include \(print \$\.Template\.BasePath "\/([\w.]+)"\) \. \| sha256sum \}\}/gu,
      (_all, file: string) =>
        createHash('sha256')
          .update(render(read(`templates/${file}`), values))
          .digest('hex'),
    )
    .replaceAll('{{ .Release.Revision }}', '1')
    .replaceAll(/\{\{ \.Values\.([\w.]+) \}\}/gu, (_all, path: string) => String(probe(path)))
  if (/\{\{|undefined/u.test(rendered)) throw new Error(`a template uses another construct: ${rendered}`)
  return rendered
}
