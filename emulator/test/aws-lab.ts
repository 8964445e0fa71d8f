import { portalAccount } from '#src/aws/cloud.ts'
import { awsClients, type AwsKey } from '#test/aws-clients.ts'
import { watchAws } from '#test/aws-watch.ts'
import { startFarEnd } from '#test/far-end.ts'

interface TrueUser {
  readonly name: string
  readonly exists: boolean
  readonly getsIn: boolean
}

/** An emulator with AWS's own clients on it, the portal's at first; all that they send and get is watched. */
export async function startAwsLab() {
  const watch = watchAws()
  const farEnd = await startFarEnd()
  const as = (key?: AwsKey) => awsClients(farEnd.url, key, (exchange) => watch.see(exchange))
  return {
    farEnd,
    watch,
    as,
    ...as(),
    /** Returns the record of the last user who had the name. */
    truth: async (name: string): Promise<TrueUser | undefined> => {
      const { aws } = (await farEnd.control('GET', '/_truth?part=aws')).body as { aws: { users: TrueUser[] } }
      return aws.users.findLast((user) => user.name === name)
    },
    /** The status that the console's sign-in page answers with. */
    signIn: async (user: string, password: string, account: string = portalAccount): Promise<number> => {
      const body = new URLSearchParams({ account, user, password })
      return (await fetch(`${farEnd.url}/aws/signin`, { method: 'POST', body })).status
    },
  }
}
