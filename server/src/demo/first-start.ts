import type { Config, Secrets } from '../config.ts'
import { connect } from '../db/client.ts'
import { isInhabited } from './inhabited.ts'

/**
 * Makes the demo world on the first start of an installation that keeps its own database and is not in production.
 * Its machines are ordered only where the cloud is the emulator: they never cost anybody anything.
 * @returns lines that tell the logins; none when there was nothing to make
 */
export async function demoOnFirstStart(config: Config, secrets: Secrets): Promise<string[]> {
  if (config.production || config.database.kind !== 'embedded') return []
  const db = connect({ connectionString: secrets.databaseUrl }, { size: 2, as: 'app' })
  try {
    if (await isInhabited(db)) return []
    // All that the world is made of is read only where it is made: every other start would wait for it in vain.
    const [{ makeSeal }, { makeDemoWorld }] = await Promise.all([import('../secrets/seal.ts'), import('./make.ts')])
    return await makeDemoWorld(db, makeSeal(secrets.keys), config.azure.emulated, config.aws.emulated)
  } finally {
    await db.destroy()
  }
}
