import type { Config, Secrets } from '../config.ts'
import { connect, poolOf } from '../db/client.ts'
import type { Db } from '../db/schema.ts'
import { makeSeal, type Seal } from '../secrets/seal.ts'
import { NO_TELEMETRY, type Telemetry } from '../telemetry/telemetry.ts'

export interface App {
  readonly config: Config
  readonly secrets: Secrets
  readonly db: Db
  readonly seal: Seal
  readonly telemetry: Telemetry
}

export function buildApp(config: Config, secrets: Secrets, telemetry: Telemetry = NO_TELEMETRY): App {
  const db = connect({ connectionString: secrets.databaseUrl }, { size: config.database.connections, as: 'app' })
  telemetry.meters?.watchPool(poolOf(db)!)
  return { config, secrets, db, seal: makeSeal(secrets.keys), telemetry }
}
