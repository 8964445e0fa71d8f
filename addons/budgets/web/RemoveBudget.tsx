import { api } from '@trainyard/platform/web/api/client.ts'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'
import type { OrganisationQuery, Subject } from './budget.ts'

export function RemoveBudget({
  organisationQuery,
  subject,
  close,
}: {
  organisationQuery: OrganisationQuery
  subject: Subject
  close: () => void
}) {
  const { name, trainingName } = subject
  return (
    <DeleteDialog
      name={`budget of ${name}`}
      remove={() =>
        api.budget.remove(trainingName === undefined ? organisationQuery : { ...organisationQuery, trainingName })
      }
      invalidates={['budget']}
      close={close}
    >
      <p>Its alerts end. Machines that it kept stopped can be started again.</p>
    </DeleteDialog>
  )
}
