import { fileURLToPath } from 'node:url'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { filesIn } from './format/files-in.ts'
import { readGuide } from './format/read-guide.ts'
import type { GuideFiles } from './format/zip.ts'
import { attachVersion, publishVersion, storeVersion, versionOf } from './store.ts'

/** An example that also works on emulated machines. */
const demoFiles = (): GuideFiles => filesIn(fileURLToPath(new URL('../examples/first-steps/', import.meta.url)))

/** Attaches a guide to the training of an organisation for which Linux machines were ordered first. */
export async function addDemoGuide(tx: Tx, organisation: OrganisationId): Promise<void> {
  const training = await tx
    .selectFrom('machine')
    .select(['training_id as id', 'organisation_id as organisationId'])
    .where('organisation_id', '=', organisation)
    .where('os', '=', 'Linux')
    .where('desired', '=', 'running')
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
  if (training === undefined) return
  const files = demoFiles()
  const read = readGuide(files)
  const { number } = await storeVersion(tx, organisation, read, files, DEMO)
  const row = await versionOf(tx, organisation, { guide: read.guide.id, number })
  await publishVersion(tx, row, 'Part of the demo data.')
  await attachVersion(tx, training, { ...row, published_at: row.made_at }, null, DEMO)
}

const DEMO = 'demo'
