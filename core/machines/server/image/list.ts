import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { image } from '../../contract/image.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'

type Listed = ReplyOf<typeof image.list>

const MAX_IMAGES = 1_000

export async function listImages(db: Db): Promise<Listed> {
  const rows = await db
    .selectFrom('image')
    .innerJoin('machine', 'machine.id', 'image.machine_id')
    .innerJoin('organisation', 'organisation.id', 'image.organisation_id')
    .select(['machine.name as machine', 'machine.os', 'machine.location', 'organisation.name as organization'])
    .select([
      'image.created_at',
      'image.image_id',
      'image.ready_at',
      'image.failed',
      'image.last_error',
      'image.progress',
    ])
    .orderBy('image.created_at', 'desc')
    .orderBy('image.id')
    .limit(MAX_IMAGES)
    .execute()
  return {
    images: rows.map((row) => ({
      machine: row.machine,
      os: row.os,
      location: row.location,
      organization: row.organization,
      createdTime: row.created_at.toISOString(),
      status: row.failed !== null ? 'Failed' : row.ready_at === null ? 'In progress' : 'Ready',
      progress: row.progress,
      reason: row.failed ?? row.last_error,
      imageId: row.ready_at === null ? null : row.image_id,
    })),
  }
}
