import type { CapturedImage } from '../contract/image.ts'
import { EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { useImages } from './useImages.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { instantColumn } from '@trainyard/platform/web/ui/Instant.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import styles from './Images.module.css'

const columns: readonly Column<CapturedImage>[] = [
  { id: 'machine', header: 'Machine', value: (row) => row.machine },
  { id: 'organisation', header: 'Organization', value: (row) => row.organization },
  { id: 'status', header: 'Status', value: (row) => row.status, cell: (row) => <Status image={row} /> },
  { id: 'os', header: 'OS', value: (row) => row.os, width: '6rem' },
  { id: 'location', header: 'Location', value: (row) => row.location, width: '8rem' },
  { ...instantColumn('createdTime', 'Created'), width: '13rem' },
  {
    id: 'id',
    header: 'Image ID',
    value: (row) => row.imageId,
    cell: (row) =>
      row.imageId && (
        <span className={`mono ${styles.id}`} title={row.imageId}>
          {row.imageId}
        </span>
      ),
  },
]
const rowId = (row: CapturedImage) => `${row.machine} ${row.createdTime}`

const Status = ({ image: { status, progress, reason } }: { image: CapturedImage }) => (
  <span className={styles.status} data-failed={status === 'Failed' || undefined}>
    {status === 'In progress' && progress > 0 ? `${status}, ${progress}%` : status}
    {reason !== null && <span className={styles.reason}>{reason}</span>}
  </span>
)

export function Images() {
  const images = useImages()
  return (
    <section id="images" className={styles.images} aria-labelledby="images-heading">
      <h2 id="images-heading">Images</h2>
      <Fetched query={images} loading={<Skeleton rows={3} height="2.25rem" />}>
        {(data) => (
          <DataTable
            label="Images"
            rows={data}
            rowId={rowId}
            columns={columns}
            empty={EMPTY.list('Image')}
            unmatched={EMPTY.list('Image')}
            search
            csv="Image list"
            maxHeight="15rem"
          />
        )}
      </Fetched>
    </section>
  )
}
