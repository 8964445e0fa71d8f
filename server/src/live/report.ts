export interface StepDone {
  readonly name: string
  readonly seconds: number
}

export interface Lived {
  readonly name: string
  readonly steps: readonly StepDone[]
  /** The sentence that ended it early; null: it went as it should. */
  readonly error: string | null
}

interface Report {
  readonly account: string
  readonly startedAt: Date
  readonly lived: readonly Lived[]
  readonly skipped: readonly { readonly name: string; readonly unused: string }[]
  /** A sentence for each thing that still stands. */
  readonly remaining: readonly string[]
  /** The file that the traffic was kept in. */
  readonly traffic: string | null
}

/** Writes a run as a page of Markdown. */
export function asMarkdown({ account, startedAt, lived, skipped, remaining, traffic }: Report): string {
  const parts = [
    `# Lived on ${account}`,
    `Begun ${startedAt.toISOString()}.`,
    ...lived.map(({ name, steps, error }) =>
      [
        `## ${name}: ${error === null ? 'went as it should' : `failed: ${error}`}`,
        '| step | seconds |\n| --- | ---: |',
        ...steps.map(({ name: step, seconds }) => `| ${step} | ${seconds.toFixed(1)} |`),
      ].join('\n'),
    ),
    ...skipped.map(({ name, unused }) => `## ${name}: not lived\n${unused}`),
    `## Left behind\n${remaining.length === 0 ? 'Nothing.' : remaining.map((line) => `- ${line}`).join('\n')}`,
    ...(traffic === null ? [] : [`The traffic, scrubbed: ${traffic}`]),
  ]
  return `${parts.join('\n\n')}\n`
}
