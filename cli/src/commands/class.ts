import { dataOf, type Schemas } from '../api/client.ts'
import { EXIT, Failure } from '../failure.ts'
import type { Register, Session } from '../session.ts'

type Seat = Schemas['GetClassReply']['seats'][number]

export const registerClass: Register = (program, inSession) => {
  const group = program.command('class').description('Run the class of a training')
  group
    .command('show', { isDefault: true })
    .description('Show the learners: connected, idle, hand raised')
    .argument('<training>', 'name of the training')
    .action(inSession(show))
  group
    .command('announce')
    .description('Show an announcement to the learners for 15 minutes')
    .argument('<training>', 'name of the training')
    .argument('<text>', 'text of the announcement')
    .action(
      inSession((session, training: string, text: string) =>
        report(
          session,
          dataOf(
            session.client.POST('/api/azure/class/announcement', {
              headers: { 'idempotency-key': crypto.randomUUID() },
              body: { ...session.training(training), text, minutes: 15 },
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
      inSession((session, training: string) =>
        report(
          session,
          dataOf(
            session.client.POST('/api/azure/class/extension', {
              headers: { 'idempotency-key': crypto.randomUUID() },
              body: session.training(training),
            }),
          ),
        ),
      ),
    )
  group
    .command('start')
    .description('Start all stopped machines of the class')
    .argument('<training>', 'name of the training')
    .action(inSession((session, training: string) => power(session, { ...session.training(training), operation: 1 })))
  group
    .command('stop')
    .description('Stop the machines of the class')
    .argument('<training>', 'name of the training')
    .option('--idle <minutes>', 'only machines that have been idle for at least so many minutes')
    .option('-y, --yes', 'do not ask for a confirmation')
    .action(
      inSession(async (session, training: string, { idle, yes }: { idle?: string; yes?: true }) => {
        const idleMinutes = idle === undefined ? undefined : Number(idle)
        if (idleMinutes !== undefined && !Number.isInteger(idleMinutes)) {
          throw new Failure(EXIT.usage, '--idle must be a number of minutes.')
        }
        if (idleMinutes === undefined) await session.confirm(`Stop all machines of ${training}?`, yes)
        const selection = idleMinutes === undefined ? ({ all: true } as const) : { idleMinutes }
        await power(session, { ...session.training(training), operation: 0, ...selection })
      }),
    )
}

async function power(session: Session, body: Schemas['PowerClassRequest']): Promise<void> {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  await report(session, dataOf(session.client.POST('/api/azure/class/power', { headers, body })))
}

async function report(session: Session, call: Promise<{ readonly message: string }>): Promise<void> {
  const reply = await call
  session.out.note(reply.message)
  session.out.result(reply, '')
}

async function show(session: Session, training: string): Promise<void> {
  const query = session.training(training)
  const view = await dataOf(session.client.GET('/api/azure/class', { params: { query } }))
  const clock = await session.clock()
  session.out.table(
    view,
    view.seats,
    [
      { title: 'Learner', value: ({ machine }) => machine.learnerName ?? machine.email },
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
