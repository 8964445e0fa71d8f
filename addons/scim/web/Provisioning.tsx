import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, useMemo, useState } from 'react'
import type { ScimGroup, ScimToken } from '../contract/scim.ts'
import { OfOrganisation } from '@trainyard/organisations/web/OrganisationPart.tsx'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { Section } from '@trainyard/platform/web/forms/Section.tsx'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { CopyButton } from '@trainyard/platform/web/ui/CopyButton.tsx'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { secretColumns } from '@trainyard/platform/web/ui/secret-columns.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'

const CreateToken = lazy(() => import('./CreateToken.tsx'))

/** Users and groups that the organisation's identity provider writes by SCIM. */
export default function Directory() {
  return <OfOrganisation>{(organization) => <Provisioning organization={organization} />}</OfOrganisation>
}

function Provisioning({ organization }: { organization: string }) {
  const shown = useQuery(query(api.scim.show, { organization }))
  const [created, setCreated] = useState<string | null>(null)
  return (
    <Section
      title="User Provisioning"
      text="Your identity provider, such as Entra ID or Okta, creates, changes and deactivates users here with SCIM 2.0. Deactivated users are signed out and their machines are stopped."
    >
      <Fetched query={shown} loading={<Skeleton rows={2} height="4rem" />}>
        {({ url, tokens, groups, users }) => (
          <>
            <div className="row">
              <span>
                Address for the identity provider: <code>{url}</code>
              </span>
              <CopyButton text={url} label="Copy the address" />
              <DialogButton
                icon={IconPlus}
                variant="default"
                dialog={(close) => <CreateToken organization={organization} close={close} created={setCreated} />}
              >
                Create Token
              </DialogButton>
            </div>
            <p className="dim">
              {countOf(users.active, 'active user')}, {countOf(users.inactive, 'deactivated user')}
            </p>
            <Tokens organization={organization} tokens={tokens} />
            <Groups organization={organization} groups={groups} />
          </>
        )}
      </Fetched>
      {created !== null && (
        <Dialog
          title="Your new token"
          close={() => setCreated(null)}
          foot={<Button onClick={() => setCreated(null)}>I have saved it</Button>}
        >
          <p>Enter this token at your identity provider. It is not shown again.</p>
          <div className="row">
            <code>{created}</code>
            <CopyButton text={created} label="Copy the token" />
          </div>
        </Dialog>
      )}
    </Section>
  )
}

function Tokens({ organization, tokens }: { organization: string; tokens: readonly ScimToken[] }) {
  const [revoking, setRevoking] = useState<ScimToken | null>(null)
  const revocation = useAction((id: string) => api.scim.revokeToken({ organization, id }), {
    invalidates: ['scim'],
    onDone: () => setRevoking(null),
  })
  const columns = useMemo<readonly Column<ScimToken>[]>(() => {
    const { names, use } = secretColumns<ScimToken>('token', setRevoking)
    return [...names, ...use]
  }, [])
  return (
    <>
      <DataTable
        label="Tokens"
        rows={tokens}
        rowId={({ id }) => id}
        columns={columns}
        stacks
        empty="There is no token. Create one and enter it at your identity provider."
      />
      {revoking !== null && (
        <ConfirmDialog
          title={`Revoke ${revoking.name}`}
          confirm="Revoke"
          busy={revocation.isPending && 'Revoking...'}
          destroys
          onConfirm={() => revocation.mutate(revoking.id)}
          close={() => setRevoking(null)}
        >
          <p>The identity provider can no longer change users and groups with this token. They stay as they are.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

const LEVELS = [
  { value: '', label: 'Not changed' },
  { value: 'user', label: 'user' },
  { value: 'admin', label: 'admin' },
]

function Groups({ organization, groups }: { organization: string; groups: readonly ScimGroup[] }) {
  const mapping = useAction(
    (change: { group: string; role: 'user' | 'admin' | null }) => api.scim.mapGroup({ organization, ...change }),
    { invalidates: ['scim', 'people'], refetchesOnFailure: true },
  )
  const { isPending, mutate } = mapping
  const columns = useMemo<readonly Column<ScimGroup>[]>(
    () => [
      { id: 'name', header: 'Group', value: ({ name }) => name },
      { id: 'members', header: 'Members', align: 'end', value: ({ members }) => String(members) },
      {
        id: 'role',
        header: 'Access level of members',
        value: ({ role }) => role ?? '',
        cell: ({ id, name, role }) => (
          <NativeSelect
            aria-label={`Access level of ${name}`}
            data={LEVELS}
            disabled={isPending}
            value={role ?? ''}
            onChange={({ currentTarget: { value } }) =>
              mutate({ group: id, role: value === 'user' || value === 'admin' ? value : null })
            }
          />
        ),
      },
      {
        id: 'trainings',
        header: 'Trainings using this group',
        value: ({ trainings }) => trainings.join(', '),
        cell: ({ trainings }) => (trainings.length === 0 ? '–' : trainings.join(', ')),
      },
    ],
    [isPending, mutate],
  )
  return (
    <DataTable
      label="Groups"
      rows={groups}
      rowId={({ id }) => id}
      columns={columns}
      stacks
      search={groups.length > 10}
      empty="Your identity provider has sent no group yet."
    />
  )
}
