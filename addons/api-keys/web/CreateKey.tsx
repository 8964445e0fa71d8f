import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useState } from 'react'
import { NAME_LENGTH } from '@trainyard/platform/contract/words/limits.ts'
import { KEY_DAYS_DEFAULT, SCOPE_NAMES, SCOPES, type Scope } from '@trainyard/platform/contract/scope.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

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

export default function CreateKey({ close, created }: { close: () => void; created: (key: string) => void }) {
  const { role } = useMe()
  const [entered, setEntered] = useState('')
  const [kind, setKind] = useState('personal')
  const [days, setDays] = useState(String(KEY_DAYS_DEFAULT))
  const [networks, setNetworks] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>([])
  const [tried, setTried] = useState(false)
  const name = entered.trim()
  const creation = useAction(api.apiKey.create, {
    invalidates: ['apiKey'],
    onDone({ key }) {
      close()
      created(key)
    },
  })
  return (
    <FormDialog
      title="Create API Key"
      submit="Create"
      busy={creation.isPending && 'Creating...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (name === '' || scopes.length === 0) return
        creation.mutate({
          name,
          kind: kind === 'service' ? 'service' : 'personal',
          scopes: [...scopes],
          days: Number(days),
          networks: networks.split(/[\s,;]+/).filter((network) => network !== ''),
        })
      }}
    >
      <TextInput
        label="Name"
        description="The program that will use it, such as Nightly report"
        autoComplete="off"
        maxLength={NAME_LENGTH}
        {...controlledText(entered, setEntered)}
        error={tried && name === '' && 'Enter a name.'}
      />
      {role === 'admin' && <NativeSelect label="Kind" data={KINDS} {...controlledText(kind, setKind)} />}
      <NativeSelect label="Expires after" data={LIFETIMES} {...controlledText(days, setDays)} />
      <Textarea
        label="Allowed addresses"
        description="Addresses or networks such as 203.0.113.0/24, one per line. Leave empty to allow any."
        autosize
        {...controlledText(networks, setNetworks)}
      />
      <Checkbox.Group
        label="Scopes"
        value={[...scopes]}
        onChange={(chosen) => setScopes(SCOPE_NAMES.filter((scope) => chosen.includes(scope)))}
        error={tried && scopes.length === 0 && 'Select at least one scope.'}
      >
        <div className="stack">
          {SCOPE_NAMES.map((scope) => (
            <Checkbox key={scope} value={scope} label={SCOPES[scope]} description={scope} />
          ))}
        </div>
      </Checkbox.Group>
    </FormDialog>
  )
}
