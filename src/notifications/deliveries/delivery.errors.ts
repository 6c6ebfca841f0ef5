import { DomainError } from '../../common/errors/domain-error';

export const deliveryNotFound = (): DomainError =>
  new DomainError('delivery_not_found', 'Delivery not found');
