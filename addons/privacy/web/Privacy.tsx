import { Desk } from '@trainyard/users/web/sign-in/Desk.tsx'

/** Default privacy notice, used if the operator has not set the address of a different notice. */
export default function Privacy() {
  return (
    <Desk title="Privacy Notice" isNotice>
      <p className="lead">Trainyard provides cloud machines for trainings.</p>
      <h2>Who is responsible</h2>
      <p>
        The organisation that invited you decides why your data is processed. The operator of this portal processes it
        for the organisation. Account Security shows whom the organisation names as responsible, with a contact.
      </p>
      <h2>Which data, and why</h2>
      <ul>
        <li>E-mail address and name: to open your account and to send you invitations and notices.</li>
        <li>Sign-ins with network address and browser: to protect your account.</li>
        <li>
          Use of machines, connections and file transfers: to run the training, to show attendance, and for the bill.
        </li>
        <li>Actions in the portal: to keep a record that shows who changed what.</li>
        <li>
          Screens that an instructor watches: to help you. You are asked first unless the training states otherwise.
        </li>
      </ul>
      <h2>Who else receives it</h2>
      <p>
        The cloud provider of your machine, the mail server, and the payment provider if you pay. Instructors and admins
        of your organisation see your use of its machines.
      </p>
      <h2>How long it is stored</h2>
      <p>
        As long as your account exists, and as long as your organisation and the law require. Records of actions are
        stored for at least a year, invoices as long as tax law requires.
      </p>
      <h2>Your rights</h2>
      <ul>
        <li>Save a copy of your data: Account Security, Privacy.</li>
        <li>Correct or erase your data, or withdraw your consent: ask an admin of your organisation.</li>
        <li>
          Complain to your organisation, and then to the Data Protection Board of India or your data protection
          authority.
        </li>
      </ul>
    </Desk>
  )
}
