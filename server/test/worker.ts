import { connect } from '../src/db/client.ts'
import { captureImage } from '../src/domain/image/jobs.ts'
import { azureCloud } from '../src/providers/azure/cloud.ts'
import { emulatorCredential } from '../src/providers/azure/credentials.ts'
import { makeSeal } from '../src/secrets/seal.ts'
import { startWorker } from '../src/worker.ts'
import type { Pace } from '../src/worker/parts.ts'

/** A worker in a process of its own, to be killed: told by one JSON argument where its database and cloud are. */
interface Told {
  readonly databaseUrl: string
  readonly emulatorUrl: string
  readonly key: string
  readonly pace: Pace
}

const told = JSON.parse(process.argv[2]!) as Told
const connection = { connectionString: told.databaseUrl }
const db = connect(connection, { size: 16, as: 'app' })
const cloud = azureCloud({
  subscriptionId: '00000000-0000-4000-8000-000000000001',
  credential: emulatorCredential(),
  emulatorUrl: told.emulatorUrl,
  lookEveryMs: 20,
})
await startWorker(
  {
    db,
    connection,
    azureLabs: null,
    seal: makeSeal([{ id: 'test', bytes: Buffer.from(told.key, 'base64') }]),
    cloud,
    payments: null,
    jobs: {
      'user.invite': async () => {},
      'machine.capture': captureImage({ db, cloud }),
      'azureUser.invite': async () => {},
      'awsUser.invite': async () => {},
    },
    aws: null,
    powerRecord: null,
    mail: { host: '127.0.0.1', port: 9 },
    say: () => {},
    onFault: (fault) => process.stderr.write(`${fault instanceof Error ? fault.stack : String(fault)}\n`),
  },
  told.pace,
)
process.stdout.write('working\n')
