import { portalAccount } from '@trainyard/sandbox-aws/emulator/cloud.ts'
import { awsClients, type AwsKey } from './aws-clients.ts'
import { recordAws } from './aws-recorder.ts'
import { startTestEmulator } from './test-emulator.ts'

interface RecordedUser {
  readonly name: string
  readonly exists: boolean
  readonly hasAccess: boolean
}

/**
 * Starts an emulator with AWS's own clients. Clients use the portal's key by default. All exchanges are recorded for
 * validation.
 */
export async function startAwsLab() {
  const watch = recordAws()
  const emulator = await startTestEmulator()
  const clientsFor = (key?: AwsKey) => awsClients(emulator.url, key, (exchange) => watch.record(exchange))
  return {
    emulator,
    watch,
    clientsFor,
    ...clientsFor(),
    /** Returns the recorded state of the newest user with this name. */
    truth: async (name: string): Promise<RecordedUser | undefined> => {
      const { aws } = (await emulator.control('GET', '/_truth?part=aws')).body as { aws: { users: RecordedUser[] } }
      return aws.users.findLast((user) => user.name === name)
    },
    /** Returns the HTTP status of a sign-in at the console's page. */
    signIn: async (user: string, password: string, account: string = portalAccount): Promise<number> => {
      const body = new URLSearchParams({ account, user, password })
      return (await fetch(`${emulator.url}/aws/signin`, { method: 'POST', body })).status
    },
  }
}
