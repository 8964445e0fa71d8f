import IconPlus from '@tabler/icons-react/icons/IconPlus'
import IconUpload from '@tabler/icons-react/icons/IconUpload'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { SelectCustomer } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { guide } from '../contract/guide.ts'
import styles from './Library.module.css'
import { columnsFor, type Asked, type LibraryRow, rowsOf } from './library-rows.tsx'
import { PROVING_MS } from './proof-text.ts'
import { UploadFindings } from './UploadFindings.tsx'
import { type Upload, useUpload } from './useUpload.ts'

const Editor = lazy(() => import('./editor/Editor.tsx'))
const UploadDialog = lazy(() => import('./UploadDialog.tsx'))
const LibraryDialog = lazy(() => import('./LibraryDialog.tsx'))

/** The guides of an organisation: upload, versions, and the trainings that use them. */
export default function Library() {
  const { organization } = useSelection()
  const { role } = useMe()
  if (organization === null)
    return (
      <Screen>
        <SelectCustomer />
      </Screen>
    )
  return <Guides key={organization} organization={organization} whose={role === 'superadmin' ? { organization } : {}} />
}

interface GuidesProps {
  organization: string
  whose: { readonly organization?: string }
}

const MB = 1024 * 1024

const usedText = ({ size, sizeMax }: ReplyOf<typeof guide.list>): string =>
  `The guides take ${Math.ceil(size / MB)} of ${sizeMax / MB} MB.`

const isProving = ({ versions }: ReplyOf<typeof guide.list>['guides'][number]) =>
  versions.some(({ proof }) => proof?.state === 'running')

const rowId = ({ guide: id, number }: LibraryRow) => `${id} ${number}`

function Guides({ organization, whose }: GuidesProps) {
  const list = useQuery({
    ...query(api.guide.list, whose),
    refetchInterval: ({ state }) => state.data?.guides.some(isProving) && PROVING_MS,
  })
  const upload = useUpload(whose)
  const [isOver, setOver] = useState(false)
  const [isAsking, setAsking] = useState(false)
  return (
    <Screen
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            renderRoot={(root) => <Link {...root} to="/admin/guides/edit" search={whose} />}
          >
            New guide
          </Button>
          <Button
            leftSection={<IconUpload size={16} aria-hidden />}
            disabled={upload.sending !== undefined}
            onClick={() => setAsking(true)}
          >
            {upload.sending === undefined
              ? 'Upload a guide'
              : upload.sending instanceof File
                ? 'Uploading...'
                : 'Fetching...'}
          </Button>
        </>
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the button chooses a file without dragging */}
      <div
        className={`stack ${styles.drop}`}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
        }}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          upload.send(event.dataTransfer.files[0])
        }}
      >
        <p className="dim">
          Drop a zip archive here, or press the button. Each upload is a draft.
          {list.data && ` ${usedText(list.data)}`}
        </p>
        {!isAsking && <UploadFindings upload={upload} />}
        <Fetched query={list} loading={<Skeleton rows={4} height="2.25rem" />}>
          {(reply) => <Versions reply={reply} organization={organization} whose={whose} upload={upload} />}
        </Fetched>
      </div>
      <Suspense>{isAsking && <UploadDialog upload={upload} close={() => setAsking(false)} />}</Suspense>
    </Screen>
  )
}

interface VersionsProps extends GuidesProps {
  reply: ReplyOf<typeof guide.list>
  upload: Upload
}

function Versions({ reply, organization, whose, upload: { send } }: VersionsProps) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const rows = useMemo(() => rowsOf(reply), [reply])
  const { timeZone } = useMe()
  const navigate = useNavigate()
  const columns = useMemo(() => {
    const edit = ({ guide: id, number }: LibraryRow) =>
      void navigate({
        to: '/admin/guides/edit',
        search: { organization: whose.organization, guide: id, version: String(number) },
      })
    return columnsFor({ ask: setAsked, edit, update: send }, timeZone)
  }, [navigate, send, timeZone, whose.organization])
  return (
    <>
      <DataTable
        label="Guides"
        rows={rows}
        rowId={rowId}
        columns={columns}
        empty="No guides yet. Upload the first one, or write a new guide."
        search={rows.length > 10}
        stacks
      />
      <Suspense>
        {asked && (
          <LibraryDialog
            key={asked.what}
            asked={asked}
            ask={setAsked}
            organization={organization}
            whose={whose}
            close={() => setAsked(null)}
          />
        )}
      </Suspense>
    </>
  )
}

/** The editor is a part of this file's screen, so that the console does not contain the list of its files. */
export const GuideEditor = () => (
  <Suspense>
    <Editor />
  </Suspense>
)
