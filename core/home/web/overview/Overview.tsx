import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { lazy } from 'react'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Assigned } from '@trainyard/templates/web/Assigned.tsx'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { Images } from '@trainyard/machines/web/Images.tsx'
import { Organisations } from '@trainyard/organisations/web/Organisations.tsx'
import styles from './Overview.module.css'
import { overviewLists } from './slots.ts'
import { Templates } from '@trainyard/templates/web/Templates.tsx'
import { Users } from '@trainyard/users/web/Users.tsx'

const NewCustomer = lazy(() => import('./NewCustomer.tsx'))

export default function Overview() {
  return (
    <Screen
      actions={
        <DialogButton icon={IconPlus} dialog={(close) => <NewCustomer close={close} />}>
          New Customer
        </DialogButton>
      }
    >
      <div className={styles.lists}>
        <Organisations />
        <Users />
        <Templates />
        <Assigned />
        <Images />
        <Fills of={overviewLists} props={{}} />
      </div>
    </Screen>
  )
}
