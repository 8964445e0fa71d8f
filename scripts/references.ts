import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import type { z } from 'zod'
import { contract, PUBLISHED } from '@trainyard/modules/contract.ts'
import { SETTINGS } from '@trainyard/modules/settings.ts'
import { type Call, methodOf, pathOf } from '@trainyard/platform/contract/call.ts'
import { variables } from '@trainyard/platform/server/config/environment.ts'
import { sentenceWith } from '@trainyard/platform/server/providers/errors.ts'
import { errorIn } from '../core/azure/server/error-body.ts'
import { OUTCOMES, SIGN_INS, signInSentence } from '../core/azure/server/outcome-table.ts'
import type { Outcome } from '../core/azure/server/outcome.ts'
import { refusalFacts } from '../core/azure/server/refusal-facts.ts'

/** `npm run references` writes the reference pages of calls, events, settings and refusals to docs/generated/ from the sources that they describe. */
const folder = fileURLToPath(new URL('../docs/generated/', import.meta.url))

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`)
    .join('\n')

function settings(): string {
  const all = Object.entries<z.ZodType>(Object.assign({}, variables, ...SETTINGS.map((each) => each.variables)))
  const rows = all
    .filter(([name]) => name !== 'INIT_CWD')
    .map(([name, shape]) => {
      const initial = shape.safeParse(undefined).data as string | number | undefined
      return [name, initial === undefined ? '' : `${initial}`, shape.description ?? '']
    })
  const missing = rows.filter(([, , text]) => text === '').map(([name]) => name)
  if (missing.length > 0) throw new Error(`Settings without a description: ${missing.join(', ')}.`)
  return `# Settings

Environment variables, read once at the start. An empty variable counts as not set. A variable that is not valid stops the start with a message that names it.

${table(['variable', 'default', 'meaning'], rows)}
`
}

function azureRefusals(): string {
  const reactionTo = ({ is }: Outcome) => (is === 'final' ? 'stops until changed' : 'retries')
  const rows = OUTCOMES.filter(({ outcome }) => outcome.is !== 'absent').flatMap(({ outcome, sentences, examples }) =>
    examples.map(([, , error]) => {
      const facts = { ...refusalFacts('create lab-1', errorIn(JSON.stringify({ error }))) }
      const detail = error.code === 'RetryableError' ? `, ${error.details?.[0]?.code}` : ''
      return [`${error.code}${detail}`, sentenceWith(sentences, facts) ?? '', reactionTo(outcome)]
    }),
  )
  const unique = new Map(rows.map((row) => [row.join('\n'), row]))
  const signIns = SIGN_INS.flatMap((row) =>
    row.codes.map((code) => [`AADSTS${code}`, signInSentence(row, { code }) ?? '']),
  )
  return `# Refusals by Azure

Error codes of Azure that the portal knows, each with an example of the sentence that users read. *Stops until changed*: the portal does not retry until a user powers on the machine again. Every other refusal is retried automatically.

${table(['code', 'sentence', 'then'], [...unique.values()])}

## Sign-in of the portal

${table(['code', 'sentence'], signIns)}
`
}

function events(): string {
  const rows = Object.entries(PUBLISHED).map(([type, { does, data }]) => [
    type,
    does,
    Object.keys((data as z.ZodObject).shape).join(', '),
  ])
  return `# Events

Events that webhooks can receive, and the fields of \`data\`.

${table(['event', 'sent when', 'fields'], rows)}
`
}

function calls(): string {
  const rows = Object.values<object>({ ...contract }).flatMap((group) =>
    Object.values<Call>({ ...group }).map((call) => [
      `${methodOf(call)} /api${pathOf(call)}`,
      call.does,
      typeof call.for === 'string' ? call.for : call.for.join(', '),
      call.public === undefined ? '' : (call.public.scope ?? 'any key'),
    ]),
  )
  return `# Calls

All calls of the web app. Calls with a scope are the public API: docs/openapi.json describes them.

${table(['call', 'does', 'for', 'scope'], rows)}
`
}

/** Success criteria of WCAG 2.2, levels A and AA. 4.1.1 was removed. Source: https://www.w3.org/TR/WCAG22/ */
const CRITERIA = {
  A: '1.1.1 1.2.1 1.2.2 1.2.3 1.3.1 1.3.2 1.3.3 1.4.1 1.4.2 2.1.1 2.1.2 2.1.4 2.2.1 2.2.2 2.3.1 2.4.1 2.4.2 2.4.3 2.4.4 2.5.1 2.5.2 2.5.3 2.5.4 3.1.1 3.2.1 3.2.2 3.2.6 3.3.1 3.3.2 3.3.7 4.1.2',
  AA: '1.2.4 1.2.5 1.3.4 1.3.5 1.4.3 1.4.4 1.4.5 1.4.10 1.4.11 1.4.12 1.4.13 2.4.5 2.4.6 2.4.7 2.4.11 2.5.7 2.5.8 3.1.2 3.2.3 3.2.4 3.3.3 3.3.4 3.3.8 4.1.3',
} as const

/** Returns the rows of docs/vpat.md by criterion; a range is split into its criteria. */
function conformance(): Map<string, readonly string[]> {
  const text = readFileSync(new URL('../docs/vpat.md', import.meta.url), 'utf8')
  const rows = text.split('\n').flatMap((line) => (/^\d/.test(line) ? [line.split(' | ')] : []))
  return new Map(
    rows.flatMap(([named = '', ...rest]) =>
      named.split(', ').flatMap((each) => {
        const [from = '', to = from] = each.split(' to ')
        const part = from.slice(0, from.lastIndexOf('.') + 1)
        const [first, last] = [from, to].map((one) => Number(one.slice(part.length))) as [number, number]
        return Array.from({ length: last - first + 1 }, (_, i) => [`${part}${first + i}`, rest] as const)
      }),
    ),
  )
}

/** Returns the WCAG table: what docs/vpat.md says, and for the other criteria axe's rules. Throws for one with neither. */
function accessibility(): string {
  const byHand = conformance()
  const rows = Object.entries(CRITERIA).flatMap(([level, criteria]) =>
    criteria.split(' ').map((criterion) => {
      const rules = axe
        .getRules([`wcag${criterion.replaceAll('.', '')}`])
        .filter(({ tags }) => !tags.includes('experimental'))
        .map(({ ruleId }) => ruleId)
      const said = byHand.get(criterion)
      byHand.delete(criterion)
      if (said === undefined && rules.length === 0) throw new Error(`docs/vpat.md says nothing about ${criterion}.`)
      return [criterion, level, ...(said ?? ['supports', '']), rules.join(', ')]
    }),
  )
  if (byHand.size > 0) throw new Error(`docs/vpat.md has unknown criteria: ${[...byHand.keys()].join(', ')}.`)
  return `# WCAG 2.2

The table of docs/vpat.md with every criterion. axe applies its rules to every screen.

${table(['criterion', 'level', 'conformance', 'remarks', 'rules of axe'], rows)}
`
}

const pages = {
  'wcag.md': accessibility(),
  'settings.md': settings(),
  'azure-refusals.md': azureRefusals(),
  'events.md': events(),
  'calls.md': calls(),
}
mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(pages)) writeFileSync(folder + name, text)
process.stdout.write(
  `${Object.keys(pages)
    .map((name) => `docs/generated/${name}`)
    .join('\n')}\n`,
)
