import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useId, useMemo, useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { secondFactor } from '../contract/second-factor.ts'
import { EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { SECOND_FACTOR } from '../contract/second-factor-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { deleteColumn } from '@trainyard/platform/web/ui/IconButtons.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Instant, instantColumn } from '@trainyard/platform/web/ui/Instant.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import styles from '@trainyard/users/web/account-security/AccountSecurity.module.css'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'
import { RemovePasskey } from './RemovePasskey.tsx'

const AddPasskey = lazy(() => import('./AddPasskey.tsx'))
const RenamePasskey = lazy(() => import('./RenamePasskey.tsx'))

type Passkey = ReplyOf<typeof secondFactor.read>['passkeys'][number]

const rowId = ({ _id }: Passkey) => _id
const nameOf = ({ name }: Passkey) => name

/** List of passkeys. A passkey replaces both the password and the second factor. */
export default function Passkeys() {
  const heading = useId()
  const factors = useQuery(query(api.secondFactor.read))
  const [renamed, setRenamed] = useState<Passkey | null>(null)
  const [removed, setRemoved] = useState<Passkey | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const columns = useMemo<readonly Column<Passkey>[]>(
    () => [
      { id: 'name', header: 'Name', value: nameOf },
      instantColumn('addedAt', 'Added'),
      {
        id: 'used',
        header: 'Last used',
        value: ({ lastUsedAt }) => lastUsedAt ?? '',
        cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Instant at={lastUsedAt} />),
      },
      {
        id: 'rename',
        header: 'Rename',
        cell: (row) => (
          <TextButton label={`Rename ${row.name}`} onClick={() => setRenamed(row)}>
            Rename
          </TextButton>
        ),
      },
      deleteColumn(nameOf, setRemoved),
    ],
    [],
  )
  return (
    <section className="stack" aria-labelledby={heading}>
      <div className={`row ${styles.head}`}>
        <h2 id={heading}>Passkeys</h2>
        {factors.data?.passkeysAt === location.origin && (
          <DialogButton
            variant="default"
            size="sm"
            icon={IconPlus}
            dialog={(close) => <AddPasskey close={close} made={setCodes} />}
          >
            Add a passkey
          </DialogButton>
        )}
      </div>
      <p>A passkey signs you in with your fingerprint, face or PIN instead of a password and code.</p>
      <Fetched query={factors} loading={<Skeleton rows={2} height="2.25rem" />}>
        {(data) => (
          <>
            <Elsewhere at={data.passkeysAt} />
            <DataTable
              label="Passkeys"
              rows={data.passkeys}
              rowId={rowId}
              columns={columns}
              empty={EMPTY.list('Passkey')}
              stacks
            />
          </>
        )}
      </Fetched>
      {renamed && (
        <Suspense>
          <RenamePasskey passkey={renamed} close={() => setRenamed(null)} />
        </Suspense>
      )}
      {removed && <RemovePasskey passkey={removed} close={() => setRemoved(null)} />}
      {codes && <RecoveryCodesDialog codes={codes} close={() => setCodes(null)} />}
    </section>
  )
}

function Elsewhere({ at }: { at: string | null }) {
  if (at === location.origin) return null
  if (at === null) return <p>{SECOND_FACTOR.noPasskeys}</p>
  return (
    <p>
      Passkeys of this portal work only at <a href={`${at}/account`}>{at}</a>.
    </p>
  )
}
