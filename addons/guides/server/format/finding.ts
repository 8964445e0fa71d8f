/** What is wrong with a guide, for its author. */
export interface Finding {
  readonly file: string
  /** Null: the whole file. */
  readonly line: number | null
  /** Field of YAML: its keys, joined by dots. Empty for other files, and for a file as a whole. */
  readonly at: string
  readonly sentence: string
  /** `error`: the guide is refused. `warning`: something works otherwise than the author may expect. */
  readonly kind: 'error' | 'warning'
}

const findingOf =
  (kind: Finding['kind']) =>
  /** @param at line of a text, or field of YAML */
  (file: string, at: string | number, sentence: string): Finding =>
    typeof at === 'number' ? { file, line: at, at: '', sentence, kind } : { file, line: null, at, sentence, kind }

export const errorAt = findingOf('error')
export const warningAt = findingOf('warning')

export const isError = ({ kind }: Pick<Finding, 'kind'>): boolean => kind === 'error'

/** Findings of one kind in one file. A file of 256 kB can have 100,000. */
const FINDINGS_MAX = 1_000

/** Returns the first findings of a file, and how many more there are. */
export function limited(findings: readonly Finding[]): Finding[] {
  const more = findings.length - FINDINGS_MAX
  if (more <= 0) return [...findings]
  return [
    ...findings.slice(0, FINDINGS_MAX),
    errorAt(findings[0]!.file, '', `${more} more values of the file are wrong.`),
  ]
}

/** Findings that a reply lists. */
const SHOWN_MAX = 200

/** Returns the findings that a reply lists, in their order. Warnings do not take the places of errors. */
export function shownFindings(findings: readonly Finding[]) {
  const errors = findings.filter(isError)
  const shown = new Set([...errors, ...findings.filter((each) => !isError(each))].slice(0, SHOWN_MAX))
  return { errors: errors.length, shown: findings.filter((each) => shown.has(each)).map(shownFinding) }
}

/** Returns a finding as replies contain it. */
export const shownFinding = ({ file, line, at, sentence, kind }: Finding) => ({
  file,
  line,
  at,
  sentence,
  isError: kind === 'error',
})

/** The files cannot be read as a guide. */
export class UnreadableGuide extends Error {
  override readonly name = 'UnreadableGuide'
  readonly findings: readonly Finding[]

  constructor(findings: readonly Finding[], named = findings.filter(isError)) {
    const places = named.map(({ file, line, at, sentence }) => [file, line && `line ${line}`, at, sentence])
    super(places.map((parts) => parts.filter(Boolean).join(': ')).join('\n'))
    this.findings = findings
  }
}
