export const sourceMaps: Map<string, string>;
