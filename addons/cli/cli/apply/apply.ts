import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { refOf } from '@trainyard/machines/contract/machine-ref.ts'
import { BROWSER_ACCESS_SURCHARGE } from '@trainyard/platform/contract/words/money.ts'
import { dataOf, type Machine } from '../api/client.ts'
import { minutesOf } from '../commands/machines.ts'
import { waitForMachines } from '../commands/waiting.ts'
import { EXIT, Failure } from '../failure.ts'
import { type Register, rupees, type CommandContext } from '../command-context.ts'
import { parseTrainings, type WantedTraining } from './file.ts'
import { type Change, describe, type Plan, planOf, type CurrentState, type CurrentClassSession } from './plan.ts'

/** Maximum number of days in one request for sessions. */
const SESSION_DAYS = 62
/** Number of days in which `--prune` finds sessions: the maximum span of a weekly class. */
const DAYS_AHEAD = 366
/** Requested priority of a port. If it is taken, the portal uses the next free one. */
const PORT_PRIORITY = 1001

interface ApplyOptions {
  readonly file: string
  readonly dryRun?: true
  readonly prune?: true
  readonly yes?: true
  readonly wait?: true
  readonly timeout: string
}

export const registerApply: Register = (program, inContext) => {
  program
    .command('apply')
    .description('Order machines, open ports and plan sessions as a YAML file states')
    .requiredOption('-f, --file <file>', 'YAML file (required); - reads standard input')
    .option('--dry-run', `show the changes without making them; exit code ${EXIT.differences} if there are any`)
    .option('--prune', 'also delete machines, ports and sessions that are not in the file')
    .option('--wait', 'wait until the ordered machines run')
    .option('--timeout <minutes>', 'how long to wait', '60')
    .option('-y, --yes', 'do not ask for a confirmation')
    .addHelpText('after', EXAMPLE)
    .action(inContext(apply))
}

const EXAMPLE = `
Example of a file:
  training: Python for beginners
  template: Ubuntu 24.04 Standard
  hours: 40
  learners:
    - asha@example.com
    - { email: ravi@example.com, name: Ravi Kumar }
  ports:
    - 8080
  sessions:
    - { days: [mon, wed], from: 2026-12-01, until: 2026-12-18, start: "09:00", stop: "12:00" }`

interface Planned extends Plan {
  readonly wanted: WantedTraining
}

async function apply(context: CommandContext, options: ApplyOptions): Promise<void> {
  const { file, dryRun, yes } = options
  const minutes = minutesOf(options.timeout)
  const wanted = parseTrainings(await readInput(context, file), file)
  const plans: Planned[] = []
  for (const training of wanted) {
    const current = await readCurrentState(context, training)
    plans.push({ wanted: training, ...planOf(training, current, { prune: options.prune === true }) })
  }
  const count = plans.reduce((sum, { changes }) => sum + changes.length, 0)
  const rates = await ratesOf(context, plans)
  const planText = plans.map((plan) => formatPlan(plan, rates)).join('\n')
  const data = plans.map(({ wanted: { training }, changes, notes }) => ({ training, changes, notes }))
  if (dryRun === true) {
    context.out.result({ differences: count, trainings: data }, planText)
    if (count > 0) throw new Differences()
    return
  }
  if (!context.out.json) context.out.result(null, planText)
  if (count > 0) {
    await context.confirm(`Make ${count === 1 ? 'this change' : `these ${count} changes`}?`, yes)
    for (const plan of plans) await applyPlan(context, plan)
  }
  if (options.wait === true) {
    for (const { wanted: training } of plans) {
      const emails = new Set(training.learners.map(({ email }) => email))
      const isWaitedFor = ({ isAlive, email, status }: Machine) =>
        isAlive &&
        emails.has(email) &&
        (status === 'Creating' || status === 'Planned' || status === 'Failing' || status === 'Running')
      await waitForMachines(context, {
        trainingName: training.training,
        organization: training.organization,
        isWaitedFor,
        status: 'Running',
        minutes,
      })
    }
  }
  context.out.result({ differences: 0, trainings: data }, '')
}

/** Thrown to end the process with the exit code for differences, without an error message. */
export class Differences extends Error {
  override readonly name = 'Differences'
}

async function readInput(context: CommandContext, file: string): Promise<Uint8Array> {
  try {
    return file === '-' ? await buffer(context.io.stdin) : readFileSync(file)
  } catch (error) {
    throw new Failure(EXIT.usage, `${file} cannot be read: ${(error as Error).message}.`)
  }
}

async function readCurrentState(context: CommandContext, wanted: WantedTraining): Promise<CurrentState> {
  const { training, organization } = wanted
  const query = context.training(training, organization)
  const exists = (await context.trainings(organization)).includes(training)
  const { timeZone } = await context.key()
  const today = new Intl.DateTimeFormat('sv-SE', { ...(timeZone !== null && { timeZone }) }).format(new Date())
  if (!exists) return { machines: [], ports: [], sessions: [], template: null, today }
  const machines = await context.machines(query)
  const { lastOrder } = await dataOf(context.client.GET('/api/azure/lastOrder', { params: { query } }))
  const ports =
    wanted.ports === undefined
      ? []
      : (await dataOf(context.client.GET('/api/azure/ports', { params: { query } }))).rules
  const sessions = wanted.sessions === undefined ? [] : await sessionsFrom(context, query, { today, wanted })
  return { machines, ports, sessions, template: lastOrder?.templateName ?? null, today }
}

async function sessionsFrom(
  context: CommandContext,
  training: { trainingName: string; organization?: string },
  { today, wanted }: { readonly today: string; readonly wanted: WantedTraining },
): Promise<CurrentClassSession[]> {
  const found: CurrentClassSession[] = []
  for (const { from, until } of classSessionWindows(today, wanted.sessions!)) {
    const query = { ...training, from, until }
    const { sessions } = await dataOf(context.client.GET('/api/azure/sessions', { params: { query } }))
    found.push(...sessions)
  }
  const now = new Date().toISOString()
  return found.filter(({ startsAt }) => startsAt > now)
}

interface Span {
  readonly from: string
  readonly until: string
}

/** Splits the next year and the days of the wanted sessions into spans for the API, which do not overlap. */
export function classSessionWindows(today: string, wanted: readonly Span[]): Span[] {
  const ahead = wanted.filter(({ until }) => until >= today)
  const spans = [{ from: today, until: addDays(today, DAYS_AHEAD) }, ...ahead].toSorted((a, b) =>
    a.from < b.from ? -1 : 1,
  )
  const windows: Span[] = []
  let next = today
  for (const { from, until } of spans) {
    if (from > next) next = from
    while (next <= until) {
      const end = addDays(next, SESSION_DAYS)
      windows.push({ from: next, until: end < until ? end : until })
      next = addDays(windows.at(-1)!.until, 1)
    }
  }
  return windows
}

function addDays(date: string, days: number): string {
  const at = new Date(`${date}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}

/**
 * Returns, for each training that orders machines, the price of one machine in rupees per hour, including browser
 * access.
 * @throws Failure if the template is not assigned to the organisation
 */
async function ratesOf(context: CommandContext, plans: readonly Planned[]): Promise<Map<WantedTraining, number>> {
  const rates = new Map<WantedTraining, number>()
  for (const { wanted, changes } of plans) {
    if (!changes.some(({ kind }) => kind === 'order')) continue
    const organization = wanted.organization ?? (await context.organization())
    const query = { organization }
    const { templates } = await dataOf(context.client.GET('/api/azure/templates', { params: { query } }))
    const found = templates.find(({ name }) => name === wanted.template)
    if (found === undefined) {
      const names = templates.map(({ name }) => name).join(', ')
      throw new Failure(EXIT.notFound, `There is no template ${wanted.template}.`, {
        hint: names === '' ? 'No template is assigned to the organisation.' : `Use one of these: ${names}.`,
      })
    }
    rates.set(wanted, found.rate + (wanted.browserAccess ? BROWSER_ACCESS_SURCHARGE / 100 : 0))
  }
  return rates
}

function formatPlan({ wanted, changes, notes }: Planned, rates: ReadonlyMap<WantedTraining, number>): string {
  const lines = changes.map((change) => `  ${describe(change, wanted)}${priceOf(change, wanted, rates.get(wanted))}`)
  const noteLines = notes.map((note) => `  # ${note}`)
  return [wanted.training, ...(lines.length === 0 ? ['  nothing to change'] : lines), ...noteLines].join('\n')
}

function priceOf(change: Change, { browserAccess }: WantedTraining, rate: number | undefined): string {
  if (change.kind !== 'order' || rate === undefined) return ''
  const surcharge = browserAccess
    ? `, with ${rupees(BROWSER_ACCESS_SURCHARGE / 100)} each for access in the browser`
    : ''
  return `\n    ${rupees(rate * change.learners.length)} per hour while all run${surcharge}`
}

async function applyPlan(context: CommandContext, { wanted, changes }: Planned): Promise<void> {
  for (const [index, change] of changes.entries()) {
    context.out.progress(index, changes.length, `changes of ${wanted.training} made`)
    const { message } = await applyChange(context, wanted, change)
    context.out.note(message)
  }
}

function applyChange(context: CommandContext, wanted: WantedTraining, change: Change): Promise<{ message: string }> {
  const { client } = context
  const training = context.training(wanted.training, wanted.organization)
  const headers = { 'idempotency-key': crypto.randomUUID() }
  switch (change.kind) {
    case 'order': {
      const names = change.learners.flatMap(({ email, name }) => (name === undefined ? [] : [{ email, name }]))
      const body = {
        ...training,
        templateName: wanted.template,
        email: change.learners.map(({ email }) => email),
        createVmCount: change.learners.length,
        allocatedHours: wanted.hours === null ? null : Math.round(wanted.hours * 60),
        guacamole: wanted.browserAccess,
        ...(names.length > 0 && { names }),
        ...(wanted.readyBy !== undefined && { readyBy: wanted.readyBy }),
      }
      return dataOf(client.POST('/api/azure/machines', { headers, body }))
    }
    case 'openPort': {
      const { port, protocol, source } = change
      const body = { ...training, port, protocol, priority: PORT_PRIORITY, ...(source !== null && { source }) }
      return dataOf(client.POST('/api/azure/ports', { headers, body }))
    }
    case 'closePort':
      return dataOf(client.DELETE('/api/azure/ports', { body: { ...training, port: change.port } }))
    case 'createSession':
      return dataOf(client.POST('/api/azure/sessions', { headers, body: { ...training, ...change.session } }))
    case 'deleteSession': {
      const { _id: sessionId, weekly } = change.session
      const query = { ...training, sessionId, scope: weekly === null ? ('one' as const) : ('following' as const) }
      return dataOf(client.DELETE('/api/azure/sessions', { params: { query } }))
    }
    case 'deleteMachine':
      return dataOf(client.DELETE('/api/azure/machines', { body: [refOf(change.machine)] }))
  }
}
