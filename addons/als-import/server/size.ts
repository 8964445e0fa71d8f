/** A size of Lab Services with the properties that Azure uses. */
export interface LabSize {
  readonly cores: number
  readonly memoryGb: number
  readonly diskGb: number
  readonly isPremium: boolean
  readonly hasGpu: boolean
  /** Series of Azure's machines, such as Fsv2. */
  readonly series: string
}

/** Sizes by name. Source: the table of Microsoft's bulk scripts (Azure/LabServices at 630f4c0). */
const NAMED: Readonly<Record<string, string>> = {
  Basic: 'Fsv2_2_4GB_128_S_SSD',
  Standard: 'Fsv2_4_8GB_128_S_SSD',
  Virtualization: 'Dsv4_4_16GB_128_P_SSD',
  Large: 'Fsv2_8_16GB_128_S_SSD',
  Performance: 'Dsv4_8_32GB_128_P_SSD',
  SmallGPUCompute: 'Ncv3t4_8_56GB_128_S_SSD',
  SmallGPUVisualization: 'NVv4_8_28GB_128_S_SSD',
  MediumGPUVisualization: 'NVv3_12_112GB_128_S_SSD',
}

const SIZE = /^(?:(?:Classic|Standard)_)?([A-Za-z][A-Za-z0-9]*)_(\d+)_(\d+)GB_(\d+)_([SP])_SSD$/i

/** Parses the name of a size, including names that are missing in Microsoft's table; null for any other format. */
export function sizeOf(name: string): LabSize | null {
  const named = Object.entries(NAMED).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
  const [, series, cores, memory, disk, type] = SIZE.exec(named ?? name) ?? []
  if (series === undefined) return null
  return {
    cores: Number(cores),
    memoryGb: Number(memory),
    diskGb: Number(disk),
    isPremium: type?.toUpperCase() === 'P',
    hasGpu: /^n/i.test(series),
    series,
  }
}

interface Offered {
  readonly name: string
  readonly os: 'Windows' | 'Linux'
  readonly cpu: string
  readonly memory: string
  readonly storage: string
  readonly size_name: string
}

/** Cores and memory of the sizes that templates commonly use. Source: Azure's documentation of these series. */
const USUAL_SIZES: Readonly<Record<string, readonly [cores: number, memoryGb: number]>> = {
  Standard_DS1_v2: [1, 3.5],
  Standard_D2s_v3: [2, 8],
  Standard_D4s_v3: [4, 16],
  Standard_D8s_v3: [8, 32],
  Standard_DS3_v2: [4, 14],
  Standard_D4s_v4: [4, 16],
  Standard_D8s_v4: [8, 32],
  Standard_D16ds_v4: [16, 64],
}

const numberIn = (text: string): number | null => {
  const found = /(\d+(?:\.\d+)?)/.exec(text)
  return found === null ? null : Number(found[1])
}

/**
 * Returns the template with the same operating system whose cores, memory and disk are nearest to a size. Prefers
 * templates that are not smaller than the size. Returns null if no template has that operating system.
 */
export function nearestTemplate<T extends Offered>(
  size: LabSize,
  os: 'Windows' | 'Linux' | null,
  templates: readonly T[],
): T | null {
  const scored = templates
    .filter((template) => os === null || template.os === os)
    .map((template) => ({ template, score: distance(size, template) }))
    .toSorted((a, b) => a.score - b.score || a.template.name.localeCompare(b.template.name))
  return scored[0]?.template ?? null
}

function distance(size: LabSize, template: Offered): number {
  const [cores, memory] = USUAL_SIZES[template.size_name] ?? [
    numberIn(template.cpu) ?? 1,
    numberIn(template.memory) ?? 1,
  ]
  const disk = numberIn(template.storage) ?? size.diskGb
  const far = (requested: number, available: number): number => {
    const ratio = Math.log2(available / requested)
    // A machine that is too small is worse than a machine that is too large.
    return ratio < 0 ? -2 * ratio : ratio
  }
  return 4 * far(size.cores, cores) + 2 * far(size.memoryGb, memory) + 0.5 * far(size.diskGb, disk)
}

/** Returns the smallest usual size with at least these cores and memory; the largest usual size if there is none. */
export function usualSizeFor({ cores, memoryGb }: LabSize): string {
  const sorted = Object.entries(USUAL_SIZES).toSorted(([, a], [, b]) => a[0] - b[0] || a[1] - b[1])
  const found = sorted.find(([, [has, memory]]) => has >= cores && memory >= memoryGb)
  return (found ?? sorted.at(-1)!)[0]
}
