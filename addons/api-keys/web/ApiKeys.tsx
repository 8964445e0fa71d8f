import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, useMemo, useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { apiKey } from '../contract/api-key.ts'
import { EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { CopyButton } from '@trainyard/platform/web/ui/CopyButton.tsx'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { secretColumns } from '@trainyard/platform/web/ui/secret-columns.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'

const CreateKey = lazy(() => import('./CreateKey.tsx'))

type Key = ReplyOf<typeof apiKey.list>['keys'][number]

const rowId = ({ id }: Key) => id

export default function ApiKeys() {
  const keys = useQuery(query(api.apiKey.list))
  const [created, setCreated] = useState<string | null>(null)
  const [revoking, setRevoking] = useState<Key | null>(null)
  const columns = useMemo<readonly Column<Key>[]>(() => {
    const { names, use } = secretColumns<Key>('key', setRevoking)
    return [
      ...names,
      {
        id: 'kind',
        header: 'Kind',
        value: ({ kind, maker }) => `${kind === 'service' ? 'Service key' : 'Personal key'} of ${maker}`,
      },
      { id: 'scopes', header: 'Scopes', value: ({ scopes }) => scopes.join(', ') },
      {
        id: 'networks',
        header: 'Allowed addresses',
        value: ({ networks }) => (networks.length === 0 ? 'Any' : networks.join(', ')),
      },
      ...use,
    ]
  }, [])
  return (
    <Screen
      actions={
        <DialogButton icon={IconPlus} dialog={(close) => <CreateKey close={close} created={setCreated} />}>
          Create API Key
        </DialogButton>
      }
    >
      <p>
        Programs use a key instead of a session. A key can do only what its scopes allow and what its maker may do at
        the time of the call. The <a href="/developers">API reference</a> describes all calls.
      </p>
      <Fetched query={keys} loading={<Skeleton rows={4} height="2.25rem" />}>
        {(data) => (
          <DataTable
            label="API Keys"
            rows={data.keys}
            rowId={rowId}
            columns={columns}
            empty={EMPTY.list('API Key')}
            search
            stacks
          />
        )}
      </Fetched>
      {created !== null && <NewKeyDialog apiKey={created} close={() => setCreated(null)} />}
      {revoking !== null && <RevokeKey apiKey={revoking} close={() => setRevoking(null)} />}
    </Screen>
  )
}

/** Shows a new key. It can't be shown again. */
function NewKeyDialog({ apiKey, close }: { apiKey: string; close: () => void }) {
  return (
    <Dialog title="Your new API key" close={close} foot={<Button onClick={close}>I have saved it</Button>}>
      <p>Save the key now: it is not shown again. Send it in the header Authorization of each request:</p>
      <p>
        <code style={{ overflowWrap: 'anywhere' }}>Authorization: Bearer {apiKey}</code>
      </p>
      <CopyButton text={apiKey} label="Copy the API key" />
    </Dialog>
  )
}

function RevokeKey({ apiKey, close }: { apiKey: Key; close: () => void }) {
  const revocation = useAction(api.apiKey.revoke, {
    invalidates: ['apiKey'],
    refetchesOnFailure: true,
    onSettled: close,
  })
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}`}
      confirm="Revoke"
      busy={revocation.isPending && 'Revoking...'}
      destroys
      onConfirm={() => revocation.mutate({ id: apiKey.id })}
      close={close}
    >
      <p>Programs that use this key are refused at once. This cannot be undone.</p>
    </ConfirmDialog>
  )
}
