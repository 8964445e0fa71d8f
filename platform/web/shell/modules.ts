import { createContext, use } from 'react'
import { screensOf, type Screen, type WebModule } from './module.ts'

export const ModulesContext = createContext<readonly WebModule[]>([])

export const useModules = (): readonly WebModule[] => use(ModulesContext)

export const useScreens = (): readonly Screen[] => screensOf(useModules())
