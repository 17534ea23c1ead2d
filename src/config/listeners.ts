/** An address that the process listens on, and the settings that choose it. */
export interface Listener {
  readonly hostSetting: 'HOST' | 'DATA_PLANE_HOST';
  readonly host: string;
  readonly portSetting: 'PORT' | 'DATA_PLANE_PORT';
  /** 0: any free port. */
  readonly port: number;
}

/** The settings that decide what the process listens on. */
export interface ListenerSettings {
  readonly ROLES: readonly string[];
  readonly HOST: string;
  readonly PORT: number;
  readonly DATA_PLANE_HOST: string;
  readonly DATA_PLANE_PORT: number;
  readonly DATA_PLANE_KEY?: string | undefined;
  readonly DATA_PLANE_CONFIG_KEY?: string | undefined;
}

/** Returns what the process listens on: the API, and the data-plane API of an api process that has a key for it. */
export function listenersOf(settings: ListenerSettings): readonly Listener[] {
  const { ROLES, DATA_PLANE_KEY, DATA_PLANE_CONFIG_KEY } = settings;
  const hasDataPlane = ROLES.includes('api') && (DATA_PLANE_KEY ?? DATA_PLANE_CONFIG_KEY) !== undefined;
  return [
    { hostSetting: 'HOST', host: settings.HOST, portSetting: 'PORT', port: settings.PORT },
    ...(hasDataPlane
      ? [
          {
            hostSetting: 'DATA_PLANE_HOST',
            host: settings.DATA_PLANE_HOST,
            portSetting: 'DATA_PLANE_PORT',
            port: settings.DATA_PLANE_PORT,
          } as const,
        ]
      : []),
  ];
}
