import type { Command } from 'commander'
import { type MachineRef, refOf } from '@trainyard/machines/contract/machine-ref.ts'
import { minutesOfHours } from '@trainyard/platform/contract/words/duration.ts'
import { numberProblem, parseNumber } from '@trainyard/platform/contract/words/money.ts'
import { dataOf, type Machine } from '../api/client.ts'
import { EXIT, Failure } from '../failure.ts'
import { list, type Register, type CommandContext } from '../command-context.ts'
import { registerSsh } from './ssh.ts'
import { quoted, waitForMachines } from './waiting.ts'

interface Selection {
  readonly training?: string
  readonly all?: true
  readonly wait?: true
  readonly timeout: string
  readonly yes?: true
}

interface Action {
  readonly verb: 'start' | 'stop' | 'restart' | 'reset'
  readonly description: string
  readonly status: 'Running' | 'Stopped'
  readonly call: (context: CommandContext, places: readonly MachineRef[]) => Promise<{ message: string }>
}

const power = (context: CommandContext, operation: 0 | 1, places: readonly MachineRef[]) =>
  dataOf(context.client.PATCH('/api/azure/machines', { body: [{ operation }, ...places] }))

const ACTIONS: readonly Action[] = [
  {
    verb: 'start',
    description: 'Start machines',
    status: 'Running',
    call: (context, places) => power(context, 1, places),
  },
  {
    verb: 'stop',
    description: 'Stop machines',
    status: 'Stopped',
    call: (context, places) => power(context, 0, places),
  },
  {
    verb: 'restart',
    description: 'Restart running machines',
    status: 'Running',
    call: (context, places) => dataOf(context.client.PATCH('/api/azure/machinesRestart', { body: [...places] })),
  },
  {
    verb: 'reset',
    description: 'Recreate machines as they were ordered. Everything on their disks is lost',
    status: 'Running',
    call: (context, places) => dataOf(context.client.PATCH('/api/azure/machinesReset', { body: [...places] })),
  },
]

export const registerMachines: Register = (program, inContext) => {
  const machines = program.command('machines').description('List, start, stop, reset and reach machines')
  machines
    .command('list')
    .description('List the machines of a training')
    .argument('<training>', 'name of the training')
    .action(inContext(listMachines))
  for (const action of ACTIONS) {
    const command = machines
      .command(action.verb)
      .description(action.description)
      .argument('[machine...]', 'names of the machines')
      .option('-t, --training <name>', 'training of the machines, which saves searching for them')
      .option('--all', 'all machines of the training')
      .option('--wait', 'wait until the machines have changed')
      .option('--timeout <minutes>', 'how long to wait', '30')
    if (action.verb === 'reset') command.option('-y, --yes', 'do not ask for a confirmation')
    command.action(
      inContext((context, names: string[], selection: Selection) => act(context, action, names, selection)),
    )
  }
  registerSsh(machines, inContext)
}

async function listMachines(context: CommandContext, training: string): Promise<void> {
  const machines = await context.machines(context.training(training))
  context.out.table(
    machines,
    machines,
    [
      { title: 'Machine', value: ({ name }) => name },
      { title: 'Learner', value: ({ email }) => email },
      { title: 'Status', value: ({ status }) => status },
      { title: 'Hours', alignRight: true, value: hoursOf },
      { title: 'Address', value: ({ publicIp }) => publicIp ?? '' },
      { title: 'Reason', value: ({ statusReason }) => statusReason ?? '' },
    ],
    `${training} has no machines. Order some with trainyard order ${quoted(training)}.`,
  )
}

function hoursOf({ quota: { consumed, total } }: Machine): string {
  const hours = (minutes: number) => (minutes / 60).toFixed(1)
  return total === null ? hours(consumed) : `${hours(consumed)} of ${hours(total)}`
}

async function act(
  context: CommandContext,
  action: Action,
  names: readonly string[],
  selection: Selection,
): Promise<void> {
  const { all, training, wait, yes, timeout } = selection
  const minutes = minutesOf(timeout)
  if ((all === true) === names.length > 0 || (all === true && training === undefined)) {
    throw new Failure(EXIT.usage, 'Name the machines, or all of a training with --training <name> --all.')
  }
  const found = await findMachines(context, names, training)
  const chosen = all === true ? found.machines.filter((machine) => isActionable(action, machine)) : found.machines
  if (chosen.length === 0) {
    context.out.note(`There is no machine to ${action.verb}.`)
    return context.out.result({ message: null, machines: [] }, '')
  }
  if (action.verb === 'reset') {
    const subject = chosen.length === 1 ? chosen[0]!.name : `${chosen.length} machines`
    await context.confirm(`Reset ${subject}? Everything on their disks is lost.`, yes)
  }
  const { message } = await action.call(context, chosen.map(refOf))
  context.out.note(message)
  const ids = new Set(chosen.map(({ _id }) => _id))
  if (wait === true) {
    for (const trainingName of found.trainings) {
      const isWaitedFor = ({ _id }: Machine) => ids.has(_id)
      await waitForMachines(context, { trainingName, isWaitedFor, status: action.status, minutes })
    }
  }
  context.out.result({ message, machines: chosen.map(({ name }) => name) }, '')
}

/** Returns true if `--all` includes the machine. */
function isActionable({ verb }: Action, { isAlive, status }: Machine): boolean {
  if (!isAlive) return false
  if (verb === 'start') return status === 'Stopped' || status === 'Planned' || status === 'Failing'
  return verb === 'reset' ? status === 'Running' || status === 'Stopped' : status === 'Running'
}

export function minutesOf(text: string): number {
  const minutes = Number(text)
  if (minutes > 0 && minutes <= 24 * 60) return minutes
  throw new Failure(EXIT.usage, '--timeout must be a number of minutes, at most 1440.')
}

interface Found {
  readonly machines: Machine[]
  /** Trainings with at least one of the machines. */
  readonly trainings: string[]
}

/** Returns the named machines, or all of a training. @throws Failure if one is not found */
async function findMachines(
  context: CommandContext,
  names: readonly string[],
  training: string | undefined,
): Promise<Found> {
  const requested = new Set(names)
  const machines: Machine[] = []
  const trainings: string[] = []
  for (const trainingName of training === undefined ? await context.trainings() : [training]) {
    if (names.length > 0 && machines.length === requested.size) break
    const existing = await context.machines(context.training(trainingName))
    const found = names.length === 0 ? existing : existing.filter(({ name }) => requested.has(name))
    machines.push(...found)
    if (found.length > 0) trainings.push(trainingName)
  }
  const missing = [...requested].filter((name) => !machines.some((machine) => machine.name === name))
  if (missing.length > 0) {
    throw new Failure(
      EXIT.notFound,
      `There is no machine ${missing.join(', ')}${training === undefined ? '' : ` in ${training}`}.`,
      {
        hint: 'Run trainyard machines list <training> to see the names.',
      },
    )
  }
  return { machines, trainings }
}

export const registerOrder: Register = (program, inContext) => {
  program
    .command('order')
    .description('Order one machine for each learner. A new training name creates the training')
    .argument('<training>', 'name of the training')
    .requiredOption('--template <name>', 'template of the machines (required), see trainyard templates list')
    .requiredOption(
      '-l, --learners <emails>',
      'e-mail addresses (required), separated by commas; can be repeated',
      list,
    )
    .option('--hours <hours>', 'hours that each machine may run; without it there is no limit')
    .option('--no-browser', 'without access in the browser and by trainyard ssh')
    .option(
      '--ready-by <time>',
      'when the machines must be ready, such as "2026-12-01 09:30" in the organisation\'s zone',
    )
    .option('--wait', 'wait until all machines run')
    .option('--timeout <minutes>', 'how long to wait', '60')
    .option('-y, --yes', 'do not ask for a confirmation')
    .action(inContext(order))
}

interface OrderOptions {
  readonly template: string
  readonly learners: string[]
  readonly hours?: string
  readonly browser: boolean
  readonly readyBy?: string
  readonly wait?: true
  readonly timeout: string
  readonly yes?: true
}

async function order(context: CommandContext, trainingName: string, options: OrderOptions): Promise<void> {
  const { template, learners, hours, browser, readyBy, yes } = options
  const minutes = minutesOf(options.timeout)
  const [, date, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)$/.exec(readyBy ?? '') ?? []
  if (readyBy !== undefined && time === undefined) {
    throw new Failure(EXIT.usage, '--ready-by must be a time such as "2026-12-01 09:30".')
  }
  const asked = hours === undefined ? null : parseNumber(hours)
  if (hours !== undefined && asked === null)
    throw new Failure(EXIT.usage, numberProblem(hours, '--hours must be a number.'))
  const allocatedHours = asked === null ? null : minutesOfHours(asked)
  const count = learners.length === 1 ? 'one machine' : `${learners.length} machines`
  await context.confirm(`Order ${count} from ${template} for ${trainingName}?`, yes)
  const reply = await dataOf(
    context.client.POST('/api/azure/machines', {
      headers: { 'idempotency-key': crypto.randomUUID() },
      body: {
        ...context.training(trainingName),
        templateName: template,
        email: learners,
        createVmCount: learners.length,
        allocatedHours,
        guacamole: browser,
        ...(date !== undefined && time !== undefined && { readyBy: { date, time } }),
      },
    }),
  )
  context.out.note(reply.message)
  const emails = new Set(learners.map((email) => email.toLowerCase()))
  if (options.wait === true) {
    const isWaitedFor = ({ email, isAlive }: Machine) => isAlive && emails.has(email)
    await waitForMachines(context, { trainingName, isWaitedFor, status: 'Running', minutes })
  } else context.out.note(`The machines need about ${reply.waitMinutes} minutes.`)
  context.out.result(reply, '')
}

export const registerLists: Register = (program, inContext) => {
  const group = (name: string, description: string): Command => program.command(name).description(description)
  group('trainings', 'List trainings')
    .command('list')
    .description('List the trainings of the organisation')
    .action(
      inContext(async (context) => {
        const names = await context.trainings()
        const rows = names.map((name) => ({ name }))
        context.out.table(
          names,
          rows,
          [{ title: 'Training', value: ({ name }) => name }],
          'There are no trainings yet.',
        )
      }),
    )
  group('templates', 'List templates')
    .command('list')
    .description('List the templates that machines are ordered from')
    .action(
      inContext(async (context) => {
        const query = { organization: await context.organization() }
        const { templates } = await dataOf(context.client.GET('/api/azure/templates', { params: { query } }))
        context.out.table(
          templates,
          templates,
          [
            { title: 'Template', value: ({ name }) => name },
            { title: '₹ per hour', alignRight: true, value: ({ rate }) => rate.toFixed(2) },
            { title: 'CPU', value: ({ display }) => display.cpu },
            { title: 'Memory', value: ({ display }) => display.memory },
            { title: 'System', value: ({ display }) => display.os },
          ],
          'No template is assigned to the organisation. The operator of the portal assigns them.',
        )
      }),
    )
}
