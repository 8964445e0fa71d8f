const roads = [0, 1, 2, 3, 4, 5, 6]
const trains = [
  { road: 1, from: 260, length: 202 },
  { road: 2, from: 470, length: 120 },
  { road: 4, from: 330, length: 284 },
  { road: 5, from: 560, length: 161 },
] as const

const leaves = (road: number) => 60 + road * 44
const level = (road: number) => 340 - road * 44

export function TrackPlan() {
  return (
    <svg className="tracks" viewBox="0 0 720 380" preserveAspectRatio="xMinYMid slice" aria-hidden="true">
      <path
        className="rail"
        d={roads.map((road) => `M${leaves(road)} ${level(road)}H720`).join('') + `M0 340H60L${leaves(6)} ${level(6)}`}
      />
      <path
        className="train"
        d={trains.map(({ road, from, length }) => `M${from} ${level(road)}h${length}`).join('')}
      />
      <circle className="signal" cx={leaves(4) + 34} cy={level(4) - 14} r="5" />
      <circle className="signal clear" cx={leaves(2) + 34} cy={level(2) - 14} r="5" />
    </svg>
  )
}
