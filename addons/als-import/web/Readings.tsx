import { useState } from 'react'
import type { LabImport } from '../contract/lab-import.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'
import { DeleteButton } from '@trainyard/platform/web/ui/IconButtons.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'

export function Readings({ imports }: { imports: readonly LabImport[] }) {
  const [removing, setRemoving] = useState<LabImport | null>(null)
  const refresh = useAction((_id: string) => api.labImport.refresh({ _id }), { invalidates: ['labImport'] })
  const columns: readonly Column<LabImport>[] = [
    {
      id: 'name',
      header: 'Source',
      value: ({ name }) => name,
      cell: ({ name, kind, hasSecret }) => (
        <>
          {name}
          <div className="dim">
            {kind === 'files' ? 'Files' : hasSecret ? 'Subscription, with your app registration' : 'Subscription'}
          </div>
        </>
      ),
    },
    {
      id: 'read',
      header: 'Read',
      value: ({ readAt }) => readAt,
      cell: (one) => <ReadState one={one} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      width: '12rem',
      cell: (one) => (
        <div className="row">
          {one.kind === 'azure' && (
            <TextButton
              label={`Read again ${one.name}`}
              disabled={one.isReading || refresh.isPending}
              onClick={() => refresh.mutate(one._id)}
            >
              Read again
            </TextButton>
          )}
          <DeleteButton name={`import of ${one.name}`} onClick={() => setRemoving(one)} />
        </div>
      ),
    },
  ]
  return (
    <section className="stack" aria-labelledby="sources">
      <h2 id="sources">Sources</h2>
      <DataTable
        label="Sources"
        rows={imports}
        rowId={({ _id }) => _id}
        columns={columns}
        empty="Nothing has been read yet. Connect to Azure, or upload the CSV files of your labs."
        stacks
      />
      {removing !== null && (
        <DeleteDialog
          name={`import of ${removing.name}`}
          remove={() => api.labImport.remove({ _id: removing._id })}
          invalidates={['labImport']}
          close={() => setRemoving(null)}
        >
          <p>This deletes its credentials and the labs that were read. Trainings and machines that it created stay.</p>
        </DeleteDialog>
      )}
    </section>
  )
}

function ReadState({ one }: { one: LabImport }) {
  const { isReading, labsFound, labsRead, accountsFound, readAt, error } = one
  return (
    <>
      <output>{isReading ? `Reading: ${labsRead} of ${labsFound} labs` : `${labsRead} of ${labsFound} labs`}</output>
      {error !== null && <div role="alert">{error}</div>}
      {readAt !== null && !isReading && (
        <div className="dim">
          <Instant at={readAt} />
        </div>
      )}
      {accountsFound > 0 && (
        <div className="dim">
          {accountsFound} lab accounts of the older model can’t be read. Use CSV files for their labs.
        </div>
      )}
    </>
  )
}
