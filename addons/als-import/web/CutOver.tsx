import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ImportedLab } from '../contract/lab-import.ts'
import { BROWSER_ACCESS_SURCHARGE, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledCheck, typedFields } from '@trainyard/platform/web/ui/typed-fields.tsx'

export default function CutOver({ lab, close }: { lab: ImportedLab; close: () => void }) {
  const [entered, setEntered] = useState({ date: '', time: '09:00' })
  const [guacamole, setGuacamole] = useState(true)
  const [tried, setTried] = useState(false)
  const moving = useDialogSubmit(api.labImport.cutOver, ['labImport', 'machine', 'training'], close)
  const problems = {
    date: entered.date === '' && 'Choose the day of the first class.',
    time: entered.time === '' && 'Choose the time of the first class.',
  }
  const fieldOf = typedFields(entered, setEntered, tried ? problems : null)
  return (
    <FormDialog
      title={`Cut Over ${lab.title}`}
      submit="Order Machines and Invite"
      busy={moving.isPending && 'Ordering...'}
      onSubmit={() => {
        setTried(true)
        if (!problems.date && !problems.time) moving.mutate({ lab: lab._id, readyBy: entered, guacamole })
      }}
      close={close}
    >
      <ul>
        <li>Read and import again first, so that nothing is missing.</li>
        <li>Let learners save their files: disks are not copied.</li>
        <li>Order one machine in another training and check the template’s image.</li>
        <li>Afterwards, stop the lab in Lab Services. The portal changes nothing there.</li>
      </ul>
      <DateField data-autofocus label="First class on" {...fieldOf('date')} />
      <TextInput label="Machines ready at" type="time" {...fieldOf('time')} />
      <Checkbox
        label="Browser Based VM Access"
        description={`${rupeesOfPaise(BROWSER_ACCESS_SURCHARGE)} rupees extra an hour for each VM.`}
        {...controlledCheck(guacamole, setGuacamole)}
      />
    </FormDialog>
  )
}
