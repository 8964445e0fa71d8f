import { changeRequest } from '../contract/change-request.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { AskForm } from './AskForm.tsx'

const AskAdmin = ({ close }: { close: () => void }) => (
  <AskForm
    title="Request an Admin"
    shape={changeRequest.askAdmin.body}
    asks="email"
    bodyOf={({ email, reason }) => ({ email, reason })}
    send={api.changeRequest.askAdmin}
    close={close}
  />
)
export default AskAdmin
