/** Fictional partners, without logos of real companies. */
const partners = [
  { name: 'Neemtree Skills', mark: 'M10 18V9M10 9C5 9 3 6 3 2c5 0 7 3 7 7Zm0 3c4 0 6-2.5 6-6-4 0-6 2.5-6 6Z' },
  { name: 'Halcyon Loop', mark: 'M6 5a5 5 0 1 0 0 10c5 0 3-10 8-10a5 5 0 1 1 0 10' },
  { name: 'Orchard & Ohm', mark: 'M3 17h4.5v-2A6.5 6.5 0 1 1 12.5 15v2H17' },
  { name: 'Pukka Compute', mark: 'M3 3h6v6H3zM11 11h6v6h-6zM11 3h6v6M3 11v6h6' },
] as const

export function Partners() {
  return (
    <section className="partners" aria-label="Partners">
      <p className="over">Runs labs for</p>
      <ul>
        {partners.map(({ name, mark }) => (
          <li key={name}>
            <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
              <path d={mark} />
            </svg>
            {name}
          </li>
        ))}
      </ul>
    </section>
  )
}
