import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import { apiKey } from '../contract/api-key.ts'
import { KEY_DAYS_DEFAULT, SCOPE_NAMES, SCOPES, type Scope } from '@trainyard/platform/contract/scope.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'

const LIFETIMES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: String(KEY_DAYS_DEFAULT), label: `${KEY_DAYS_DEFAULT} days` },
  { value: '365', label: 'A year' },
]

const KINDS = [
  { value: 'personal', label: 'Personal: only you see it' },
  { value: 'service', label: 'Service key: all admins of the organisation see and revoke it' },
]

type KeyForm = {
  name: string
  kind: 'personal' | 'service'
  scopes: Scope[]
  days: string
  networks: string
}

export default function CreateKey({ close, created }: { close: () => void; created: (key: string) => void }) {
  const { role } = useMe()
  const creation = useAction(api.apiKey.create, {
    invalidates: ['apiKey'],
    onDone({ key }) {
      close()
      created(key)
    },
  })
  const form = useShapedForm<KeyForm, BodyOf<typeof apiKey.create>>({
    shape: apiKey.create.body,
    initialValues: { name: '', kind: 'personal', scopes: [], days: String(KEY_DAYS_DEFAULT), networks: '' },
    bodyOf: ({ name, kind, scopes, days, networks }) => ({
      name: name.trim(),
      kind,
      scopes,
      days: Number(days),
      networks: networks.split(/[\s,;]+/).filter((network) => network !== ''),
    }),
  })
  return (
    <FormDialog
      title="Create API Key"
      submit="Create"
      busy={creation.isPending && 'Creating...'}
      close={close}
      onSubmit={form.onSubmit((body) => creation.mutate(body))}
    >
      <TextInput
        label="Name"
        description="The program that will use it, such as Nightly report"
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      {role === 'admin' && <NativeSelect label="Kind" data={KINDS} {...form.getInputProps('kind')} />}
      <NativeSelect label="Expires after" data={LIFETIMES} {...form.getInputProps('days')} />
      <Textarea
        label="Allowed addresses"
        description="Addresses or networks such as 203.0.113.0/24, one per line. Leave empty to allow any."
        autosize
        {...form.getInputProps('networks')}
      />
      <Checkbox.Group label="Scopes" {...form.getInputProps('scopes')}>
        <div className="stack">
          {SCOPE_NAMES.map((scope) => (
            <Checkbox key={scope} value={scope} label={SCOPES[scope]} description={scope} />
          ))}
        </div>
      </Checkbox.Group>
    </FormDialog>
  )
}
