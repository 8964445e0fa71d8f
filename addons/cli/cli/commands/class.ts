import { givenNameFirst } from '@trainyard/platform/contract/words/person-name.ts'
import { dataOf, type Schemas } from '../api/client.ts'
import { EXIT, Failure } from '../failure.ts'
import type { Register, CommandContext } from '../command-context.ts'

type Seat = Schemas['GetClassReply']['seats'][number]

export const registerClass: Register = (program, inContext) => {
  const group = program.command('class').description('Run the class of a training')
  group
    .command('show', { isDefault: true })
    .description('Show the learners: connected, idle, hand raised')
    .argument('<training>', 'name of the training')
    .action(inContext(show))
  group
    .command('announce')
    .description('Show an announcement to the learners for 15 minutes')
    .argument('<training>', 'name of the training')
    .argument('<text>', 'text of the announcement')
    .action(
      inContext((context, training: string, text: string) =>
        report(
          context,
          dataOf(
            context.client.POST('/api/azure/class/announcement', {
              headers: { 'idempotency-key': crypto.randomUUID() },
              body: { ...context.training(training), text, minutes: 15 },
            }),
          ),
        ),
      ),
    )
  group
    .command('extend')
    .description('Extend the access window by 15 minutes while it is open or a session is running')
    .argument('<training>', 'name of the training')
    .action(
      inContext((context, training: string) =>
        report(
          context,
          dataOf(
            context.client.POST('/api/azure/class/extension', {
              headers: { 'idempotency-key': crypto.randomUUID() },
              body: context.training(training),
            }),
          ),
        ),
      ),
    )
  group
    .command('start')
    .description('Start all stopped machines of the class')
    .argument('<training>', 'name of the training')
    .action(inContext((context, training: string) => power(context, { ...context.training(training), operation: 1 })))
  group
    .command('stop')
    .description('Stop the machines of the class')
    .argument('<training>', 'name of the training')
    .option('--idle <minutes>', 'only machines that have been idle for at least so many minutes')
    .option('-y, --yes', 'do not ask for a confirmation')
    .action(
      inContext(async (context, training: string, { idle, yes }: { idle?: string; yes?: true }) => {
        const idleMinutes = idle === undefined ? undefined : Number(idle)
        if (idleMinutes !== undefined && !Number.isInteger(idleMinutes)) {
          throw new Failure(EXIT.usage, '--idle must be a number of minutes.')
        }
        if (idleMinutes === undefined) await context.confirm(`Stop all machines of ${training}?`, yes)
        const selection = idleMinutes === undefined ? ({ all: true } as const) : { idleMinutes }
        await power(context, { ...context.training(training), operation: 0, ...selection })
      }),
    )
}

async function power(context: CommandContext, body: Schemas['PowerClassRequest']): Promise<void> {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  await report(context, dataOf(context.client.POST('/api/azure/class/power', { headers, body })))
}

async function report(context: CommandContext, call: Promise<{ readonly message: string }>): Promise<void> {
  const reply = await call
  context.out.note(reply.message)
  context.out.result(reply, '')
}

async function show(context: CommandContext, training: string): Promise<void> {
  const query = context.training(training)
  const view = await dataOf(context.client.GET('/api/azure/class', { params: { query } }))
  const clock = await context.clock()
  context.out.table(
    view,
    view.seats,
    [
      {
        title: 'Learner',
        value: ({ machine: { learnerName, email } }) => (learnerName === null ? email : givenNameFirst(learnerName)),
      },
      { title: 'Machine', value: ({ machine }) => machine.name },
      { title: 'Status', value: ({ machine }) => machine.status },
      { title: 'Hand', value: (seat) => handOf(seat) },
      {
        title: 'Connected since',
        value: ({ connectedSince }) => (connectedSince === null ? '' : clock(connectedSince)),
      },
      { title: 'Idle since', value: ({ idleSince }) => (idleSince === null ? '' : clock(idleSince)) },
    ],
    `${training} has no machines.`,
  )
}

const handOf = ({ handRaisedAt, handReason }: Seat): string => (handRaisedAt === null ? '' : (handReason ?? 'raised'))
