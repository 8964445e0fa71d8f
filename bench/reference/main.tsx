import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

interface Machine {
  readonly _id: string
  readonly name: string
  readonly status: string
}

/** Plain React page that lists machines. The benchmarks compare the console with it. */
function Machines() {
  const [machines, setMachines] = useState<readonly Machine[] | null>(null)
  useEffect(() => {
    void fetch('/machines')
      .then((reply) => reply.json() as Promise<Machine[]>)
      .then(setMachines)
  }, [])
  if (machines === null) return <p>Loading...</p>
  return (
    <ul>
      {machines.map(({ _id, name, status }) => (
        <li key={_id}>
          {name} {status} <button type="button">Power Off</button>
        </li>
      ))}
    </ul>
  )
}

createRoot(document.querySelector('#root')!).render(<Machines />)
