import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { Checkbox, TextInput } from '@mantine/core'
import { type ImportedLab, labImport } from '../contract/lab-import.ts'
import { BROWSER_ACCESS_SURCHARGE, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'

export default function CutOver({ lab, close }: { lab: ImportedLab; close: () => void }) {
  const moving = useDialogSubmit(api.labImport.cutOver, ['labImport', 'machine', 'training'], close)
  const form = useShapedForm({
    shape: labImport.cutOver.body,
    initialValues: { readyBy: { date: '', time: '09:00' }, guacamole: true },
    bodyOf: (entered) => ({ ...entered, lab: lab._id }),
  })
  return (
    <FormDialog
      title={`Cut Over ${lab.title}`}
      submit="Order Machines and Invite"
      busy={moving.isPending && 'Ordering...'}
      onSubmit={form.onSubmit((body) => moving.mutate(body))}
      close={close}
    >
      <ul>
        <li>Read and import again first, so that nothing is missing.</li>
        <li>Let learners save their files: disks are not copied.</li>
        <li>Order one machine in another training and check the template’s image.</li>
        <li>Afterwards, stop the lab in Lab Services. The portal changes nothing there.</li>
      </ul>
      <DateField data-autofocus label="First class on" {...form.getInputProps('readyBy.date')} />
      <TextInput label="Machines ready at" type="time" {...form.getInputProps('readyBy.time')} />
      <Checkbox
        label="Browser Based VM Access"
        description={`${rupeesOfPaise(BROWSER_ACCESS_SURCHARGE)} rupees extra an hour for each VM.`}
        {...form.getInputProps('guacamole', { type: 'checkbox' })}
      />
    </FormDialog>
  )
}
