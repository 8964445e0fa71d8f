import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { EMPTY_TEMPLATE, filledForm } from './template-form.ts'
import { TemplateForm } from './TemplateForm.tsx'

export default function CreateTemplate({ close }: { close: () => void }) {
  const creation = useDialogSubmit(api.template.create, ['template'], close)
  const [source, setSource] = useState('')
  const list = useQuery(query(api.template.list))
  const copied = useQuery(query(api.template.read, source === '' ? null : { template: source }))
  const from = source === '' ? undefined : copied.data
  const copy = useMemo(() => from && filledForm(from), [from])
  return (
    <TemplateForm
      title="Create VM Card"
      submit="Create"
      busy={creation.isPending && 'Creating...'}
      first={EMPTY_TEMPLATE}
      copy={copy}
      note={
        <NativeSelect
          label="Copy from"
          data={[{ value: '', label: 'No card' }, ...(list.data?.templates.map(({ name }) => name) ?? [])]}
          {...controlledText(source, setSource)}
        />
      }
      send={creation.mutate}
      close={close}
    />
  )
}
