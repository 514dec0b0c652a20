gotest internal/container/oci -test.skip GVisor
