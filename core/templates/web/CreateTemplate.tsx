import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { FIRST_CHOICES, NO_TEXTS } from './template-form.ts'
import { TemplateForm } from './TemplateForm.tsx'

const EMPTY_FORM = { texts: NO_TEXTS, choices: FIRST_CHOICES }

export default function CreateTemplate({ close }: { close: () => void }) {
  const creation = useDialogSubmit(api.template.create, ['template'], close)
  return (
    <TemplateForm
      title="Create VM Card"
      submit="Create"
      busy={creation.isPending && 'Creating...'}
      first={EMPTY_FORM}
      send={creation.mutate}
      close={close}
    />
  )
}
