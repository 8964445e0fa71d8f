import type { AzureContext } from '@trainyard/azure/emulator/arm/mount.ts'
import { PORTS, type Programs } from '@trainyard/azure/emulator/network/programs.ts'
import { Certificates } from './certificate.ts'
import { connectToReal, RealDesktops } from './real-desktops.ts'
import { DesktopContents, serveDesktop } from './machine-desktop.ts'
import { Computers } from './computers.ts'
import { HostKeys } from './host-keys.ts'
import { serveSsh } from './machine-ssh.ts'

/** The terminals and desktops of the machines. */
export class RemotePrograms implements Programs {
  readonly keys: HostKeys
  readonly certificates: Certificates
  readonly realDesktops = new RealDesktops()
  readonly #desktops = new DesktopContents()
  readonly #computers: Computers

  constructor({ cloud, clock }: AzureContext) {
    this.keys = new HostKeys(cloud.database)
    this.certificates = new Certificates(cloud.database)
    this.#computers = new Computers(cloud, clock)
  }

  at(...[found, port]: Parameters<Programs['at']>): ReturnType<Programs['at']> {
    const [computers, desktops, { certificates, keys }] = [this.#computers, this.#desktops, this]
    const { uid } = found.facts
    const real = port === PORTS.Windows ? this.realDesktops.portOf(uid) : undefined
    if (real !== undefined) return (socket) => connectToReal(real, socket, uid, computers)
    if (port !== PORTS[found.machine.os]) return null
    return found.machine.os === 'Windows'
      ? (socket) => serveDesktop(socket, found, { computers, certificates, desktops })
      : (socket) => serveSsh(socket, found, { computers, keys })
  }
}
