import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { EMPTY_TEMPLATE } from './template-form.ts'
import { TemplateForm } from './TemplateForm.tsx'

export default function CreateTemplate({ close }: { close: () => void }) {
  const creation = useDialogSubmit(api.template.create, ['template'], close)
  return (
    <TemplateForm
      title="Create VM Card"
      submit="Create"
      busy={creation.isPending && 'Creating...'}
      first={EMPTY_TEMPLATE}
      send={creation.mutate}
      close={close}
    />
  )
}
