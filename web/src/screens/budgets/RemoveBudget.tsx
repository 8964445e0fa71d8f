import { api } from '#src/api/client.ts'
import { DeleteDialog } from '#src/forms/DeleteDialog.tsx'
import type { OfOrganisation, Subject } from './budget.ts'

export function RemoveBudget({ of, subject, close }: { of: OfOrganisation; subject: Subject; close: () => void }) {
  const { name, trainingName } = subject
  return (
    <DeleteDialog
      name={`budget of ${name}`}
      remove={() => api.budget.remove(trainingName === undefined ? of : { ...of, trainingName })}
      invalidates={['budget']}
      close={close}
    >
      <p>Its alerts end. Machines that it kept stopped can be started again.</p>
    </DeleteDialog>
  )
}
