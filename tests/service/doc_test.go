// Package service_test has real fronts and real engine processes, killed at any moment.
package service_test
