export interface StepResult {
  readonly name: string
  readonly seconds: number
}

export interface ScenarioResult {
  readonly name: string
  readonly steps: readonly StepResult[]
  /** Error with which the scenario ended; null if it passed. */
  readonly error: string | null
}

interface Report {
  readonly cloudAccount: string
  readonly startedAt: Date
  readonly results: readonly ScenarioResult[]
  readonly skipped: readonly { readonly name: string; readonly skipReason: string }[]
  readonly remaining: readonly string[]
  readonly traffic: string | null
}

export function asMarkdown({ cloudAccount, startedAt, results, skipped, remaining, traffic }: Report): string {
  const parts = [
    `# Live scenarios on ${cloudAccount}`,
    `Started ${startedAt.toISOString()}.`,
    ...results.map(({ name, steps, error }) =>
      [
        `## ${name}: ${error === null ? 'passed' : `failed: ${error}`}`,
        '| step | seconds |\n| --- | ---: |',
        ...steps.map(({ name: step, seconds }) => `| ${step} | ${seconds.toFixed(1)} |`),
      ].join('\n'),
    ),
    ...skipped.map(({ name, skipReason }) => `## ${name}: skipped\n${skipReason}`),
    `## Left behind\n${remaining.length === 0 ? 'Nothing.' : remaining.map((line) => `- ${line}`).join('\n')}`,
    ...(traffic === null ? [] : [`The traffic, scrubbed: ${traffic}`]),
  ]
  return `${parts.join('\n\n')}\n`
}
