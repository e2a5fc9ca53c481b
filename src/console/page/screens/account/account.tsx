import { Screen } from '../../ui/screen.js';

export function AccountScreen({ accountId = '' }: Readonly<Record<string, string>>) {
  return <Screen title={accountId}>…</Screen>;
}
