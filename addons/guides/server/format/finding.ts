/** A fault of a guide, for its author. */
export interface Finding {
  readonly file: string
  /** Place in the file: keys of YAML joined by dots, or `line 4`; empty for the whole file. */
  readonly at: string
  readonly sentence: string
  /** `error`: the guide is refused. `warning`: the learner sees text instead of what the author wrote. */
  readonly kind: 'error' | 'warning'
}

export const errorAt = (file: string, at: string, sentence: string): Finding => ({ file, at, sentence, kind: 'error' })

export const warningAt = (file: string, at: string, sentence: string): Finding => ({
  file,
  at,
  sentence,
  kind: 'warning',
})

/** The files cannot be read as a guide. */
export class UnreadableGuide extends Error {
  override readonly name = 'UnreadableGuide'
  readonly findings: readonly Finding[]

  constructor(findings: readonly Finding[]) {
    super(findings.map(({ file, at, sentence }) => [file, at, sentence].filter(Boolean).join(': ')).join('\n'))
    this.findings = findings
  }
}
